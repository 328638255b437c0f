import { dirname } from 'node:path';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import { ASSETS_PREFIX } from './docs.controller.js';

/** The only two files of the package the page needs; the rest stays private. */
const FILES: ReadonlySet<string> = new Set(['/swagger-ui.css', '/swagger-ui-bundle.js']);

/** Serves the page's script and style from the installed package. */
export function serveDocsAssets(app: NestFastifyApplication): void {
  const root = dirname(require.resolve('swagger-ui-dist/package.json'));
  app.useStaticAssets({
    root,
    prefix: ASSETS_PREFIX,
    index: false,
    maxAge: 86_400_000,
    allowedPath: (path) => FILES.has(path),
  });
}
