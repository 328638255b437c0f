import { IngestHarness } from '../../test/ingest-harness.js';
import { openApiDocument } from './openapi.js';

type Json = Record<string, unknown>;

function refsIn(value: unknown): string[] {
  if (typeof value !== 'object' || value === null) return [];
  const own = '$ref' in value ? [String(value.$ref)] : [];
  return [...own, ...Object.values(value).flatMap(refsIn)];
}

describe('the OpenAPI document', () => {
  const document = openApiDocument() as {
    openapi: string;
    paths: Record<string, Json>;
    components: { schemas: Record<string, Json> };
  };

  it('refers only to schemas it has', () => {
    const refs = new Set(refsIn(document));
    expect(refs.size).toBeGreaterThan(10);
    for (const ref of refs) {
      expect(ref).toMatch(/^#\/components\/schemas\//);
      expect(document.components.schemas[ref.split('/').at(-1) as string]).toBeDefined();
    }
  });

  it('is made from the schemas that validate', () => {
    expect(document.openapi).toBe('3.1.0');
    expect(document.components.schemas['SmsMessage']).toMatchObject({
      additionalProperties: false,
      required: ['channel', 'brand', 'category', 'to', 'content'],
    });
    expect(JSON.stringify(document.components.schemas)).not.toContain('"~standard"');
  });
});

describe('the documentation', () => {
  let api: IngestHarness;
  let base: string;
  beforeAll(async () => {
    api = await new IngestHarness().start();
    base = await api.listen();
  });
  afterAll(() => api.stop());

  it('is served without a key, as a page that loads only from here', async () => {
    const page = await fetch(`${base}/docs`);
    expect([page.status, page.headers.get('content-type')]).toEqual([200, 'text/html; charset=utf-8']);
    const links = [...(await page.text()).matchAll(/(?:src|href)="([^"]+)"/g)].map((m) => m[1] as string);
    for (const link of links.filter((l) => l !== 'data:,')) {
      expect(link).toMatch(/^\//);
      const file = await fetch(`${base}${link}`);
      expect([file.status, (await file.text()).length > 50]).toEqual([200, true]);
    }
    expect((await (await fetch(`${base}/openapi.json`)).json()) as Json).toHaveProperty('openapi', '3.1.0');
  });

  it.each([
    '/docs/assets/package.json',
    '/docs/assets/index.html',
    '/docs/assets/../package.json',
    '/docs/assets/',
  ])('serves nothing else of its package: %s', async (path) => {
    const reply = await fetch(`${base}${path}`);
    await reply.text();
    expect(reply.status).toBe(404);
  });
});
