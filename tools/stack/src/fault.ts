/** Something the user can put right, told in one sentence; printed without a stack trace. */
export class StackFault extends Error {
  override readonly name = 'StackFault';

  constructor(
    sentence: string,
    /** The last log lines of the process it is about. */
    readonly evidence?: { readonly process: string; readonly lines: readonly string[] },
  ) {
    super(sentence);
  }
}
