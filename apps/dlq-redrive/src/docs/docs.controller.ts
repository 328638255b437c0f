import { dirname } from 'node:path';
import { Controller, Get, Header } from '@nestjs/common';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import { openApiDocument } from './openapi.js';

const ASSETS_PREFIX = '/docs/assets/';
/** The only two files of the package the page needs. */
const FILES: ReadonlySet<string> = new Set(['/swagger-ui.css', '/swagger-ui-bundle.js']);

const PAGE = `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>commservice redrive API</title>
<link rel="icon" href="data:,">
<link rel="stylesheet" href="${ASSETS_PREFIX}swagger-ui.css">
</head>
<body>
<main id="api"></main>
<script src="${ASSETS_PREFIX}swagger-ui-bundle.js"></script>
<script src="/docs/start.js"></script>
</body>
</html>
`;
const START = `SwaggerUIBundle({ url: '/openapi.json', dom_id: '#api', validatorUrl: null, deepLinking: true });
`;
/** Nothing is loaded from anywhere else. */
const POLICY =
  "default-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data:; frame-ancestors 'none'";

/** Serves the page's script and style from the installed package. */
export function serveDocsAssets(app: NestFastifyApplication): void {
  const root = dirname(require.resolve('swagger-ui-dist/package.json'));
  app.useStaticAssets({
    ...{ root, prefix: ASSETS_PREFIX, index: false, maxAge: 86_400_000 },
    allowedPath: (path) => FILES.has(path),
  });
}

/** The API's description for machines, and for people. */
@Controller()
export class DocsController {
  private readonly document = JSON.stringify(openApiDocument());

  @Get('openapi.json')
  @Header('content-type', 'application/json; charset=utf-8')
  openApi(): string {
    return this.document;
  }

  @Get('docs')
  @Header('content-type', 'text/html; charset=utf-8')
  @Header('content-security-policy', POLICY)
  page(): string {
    return PAGE;
  }

  @Get('docs/start.js')
  @Header('content-type', 'text/javascript; charset=utf-8')
  start(): string {
    return START;
  }
}
