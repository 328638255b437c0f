import { Controller, Get, Header } from '@nestjs/common';
import { openApiDocument } from './openapi.js';

/** Where the page's own files are served. */
export const ASSETS_PREFIX = '/docs/assets/';

const PAGE = `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>commservice API</title>
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

const START = `SwaggerUIBundle({ url: '/openapi.json', dom_id: '#api', validatorUrl: null, deepLinking: true, tryItOutEnabled: true });
`;

/** Nothing is loaded from anywhere else. */
const POLICY =
  "default-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data:; frame-ancestors 'none'";

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
