/** PROOF=1: the journeys run at full scale and length (`npm run proof`), else at short scale (`npm test`). */
export const proofIsWanted = process.env['PROOF'] === '1';

/** Folder in which a proof keeps its figures and logs; set by `npm run proof`, else nothing is kept. */
export const proofDir: string | undefined = process.env['PROOF_DIR'];
