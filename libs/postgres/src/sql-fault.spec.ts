import { sqlFaultOf } from './sql-fault.js';

const withCode = (code: string): Error => Object.assign(new Error('x'), { code });

describe('sqlFaultOf', () => {
  it.each(['ECONNREFUSED', 'ECONNRESET', '57P01', '57P03', '57014', '53300', '08006', '40P01', '25006'])(
    'takes %s as a server that may come back',
    (code) => expect(sqlFaultOf(withCode(code))).toBe('unavailable'),
  );
  it.each(['22P05', '22003', '23502'])('takes %s as a value that never fits', (code) =>
    expect(sqlFaultOf(withCode(code))).toBe('data'),
  );
  it.each(['42P01', '42601'])('takes %s as a fault of ours', (code) =>
    expect(sqlFaultOf(withCode(code))).toBe('bug'),
  );
  it("takes pg's own deadlines, which have no code, as a server that may come back", () => {
    expect(sqlFaultOf(new Error('Query read timeout'))).toBe('unavailable');
    expect(sqlFaultOf(new TypeError('undefined is not a function'))).toBe('bug');
  });
});
