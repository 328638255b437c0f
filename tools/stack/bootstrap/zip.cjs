'use strict';
const { crc32, inflateRawSync } = require('node:zlib');

const END = 0x06054b50;
const CENTRAL = 0x02014b50;
const LOCAL = 0x04034b50;

/** Offset and count of the central directory, from the record at the end of the archive. */
function directoryOf(zip) {
  for (let at = zip.length - 22; at >= Math.max(0, zip.length - 22 - 0xffff); at--) {
    if (zip.readUInt32LE(at) === END)
      return { count: zip.readUInt16LE(at + 10), offset: zip.readUInt32LE(at + 16) };
  }
  throw new Error('no end of archive');
}

function contentOf(zip, entry) {
  if (zip.readUInt32LE(entry.local) !== LOCAL) throw new Error('no local header');
  const from = entry.local + 30 + zip.readUInt16LE(entry.local + 26) + zip.readUInt16LE(entry.local + 28);
  const packed = zip.subarray(from, from + entry.packedBytes);
  if (packed.length !== entry.packedBytes) throw new Error('archive cut short');
  const content = entry.method === 0 ? packed : inflateRawSync(packed, { maxOutputLength: entry.bytes + 1 });
  if (content.length !== entry.bytes) throw new Error('wrong length');
  if (crc32 && crc32(content) !== entry.crc) throw new Error('wrong checksum'); // crc32: Node ≥ 20.15
  return content;
}

/** The content of the first entry of a zip archive whose name matches. Throws when the archive is broken or lacks it. */
function readEntry(zip, name) {
  const { count, offset } = directoryOf(zip);
  let at = offset;
  for (let i = 0; i < count; i++) {
    if (zip.readUInt32LE(at) !== CENTRAL) throw new Error('broken directory');
    const nameBytes = zip.readUInt16LE(at + 28);
    if (name.test(zip.toString('utf8', at + 46, at + 46 + nameBytes))) {
      return contentOf(zip, {
        method: zip.readUInt16LE(at + 10),
        crc: zip.readUInt32LE(at + 16),
        packedBytes: zip.readUInt32LE(at + 20),
        bytes: zip.readUInt32LE(at + 24),
        local: zip.readUInt32LE(at + 42),
      });
    }
    at += 46 + nameBytes + zip.readUInt16LE(at + 30) + zip.readUInt16LE(at + 32);
  }
  throw new Error('no such entry');
}

module.exports = { readEntry };
