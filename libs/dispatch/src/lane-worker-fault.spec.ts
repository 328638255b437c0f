import { id, record, rig } from '../test/lane-rig.js';

it('pumps again after a pass that threw', () => {
  let broken = true;
  const r = rig('P1', () => {
    if (broken) throw new Error('a fault in a pass');
    return { kind: 'new' };
  });
  expect(() => r.offer(record(1, { priority: 'P1' }))).toThrow('a fault in a pass');
  broken = false;
  r.offer(record(2, { priority: 'P1' }));
  expect(r.sends).toContain(id(2));
});
