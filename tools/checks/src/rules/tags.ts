import type { Finding } from '../finding.js';
import type { Project } from '../projects.js';

/** The two tags of a project. Lint is not enough: a misspelt scope still matches a rule by its type. */
const TAGS: Readonly<Record<string, { readonly type: string; readonly scope: string }>> = {
  'apps/ingest-api': { type: 'app', scope: 'ingest' },
  'apps/sms-dispatcher': { type: 'app', scope: 'sms' },
  'apps/push-dispatcher': { type: 'app', scope: 'push' },
  'apps/email-dispatcher': { type: 'app', scope: 'email' },
  'apps/messenger-dispatcher': { type: 'app', scope: 'messenger' },
  'apps/dlq-redrive': { type: 'app', scope: 'redrive' },
  'apps/status-projector': { type: 'app', scope: 'status' },
  'apps/campaign-runner': { type: 'app', scope: 'campaign' },
  'apps/ops-console': { type: 'app', scope: 'console' },
  'libs/contracts': { type: 'contract', scope: 'shared' },
  'libs/client': { type: 'contract', scope: 'shared' },
  'libs/config': { type: 'bootstrap', scope: 'shared' },
  'libs/telemetry': { type: 'platform', scope: 'shared' },
  'libs/kafka': { type: 'adapter', scope: 'shared' },
  'libs/redis': { type: 'adapter', scope: 'shared' },
  'libs/postgres': { type: 'adapter', scope: 'shared' },
  'libs/accept': { type: 'policy', scope: 'shared' },
  'libs/priority-mutex': { type: 'policy', scope: 'shared' },
  'libs/batch-safety': { type: 'policy', scope: 'shared' },
  'libs/dispatch': { type: 'pipeline', scope: 'shared' },
  'libs/providers/http': { type: 'platform', scope: 'shared' },
  'libs/providers/sms': { type: 'adapter', scope: 'sms' },
  'libs/providers/push': { type: 'adapter', scope: 'push' },
  'libs/providers/email': { type: 'adapter', scope: 'email' },
  'libs/providers/messenger': { type: 'adapter', scope: 'messenger' },
  'tools/stack': { type: 'tool', scope: 'shared' },
  'tools/sandbox': { type: 'tool', scope: 'shared' },
  'tools/topics': { type: 'tool', scope: 'shared' },
  'tools/bench': { type: 'tool', scope: 'shared' },
  'tools/checks': { type: 'tool', scope: 'shared' },
  'tools/testkit': { type: 'testing', scope: 'shared' },
  'tools/e2e': { type: 'e2e', scope: 'shared' },
};

/** Every project carries exactly its one type and its one scope. */
export function tags(projects: readonly Pick<Project, 'folder' | 'tags'>[]): Finding[] {
  return projects.flatMap(({ folder, tags: found }) => {
    const path = `${folder}/package.json`;
    const known = TAGS[folder];
    if (!known) return [{ path, message: 'is a project that the table in tools/checks does not know' }];
    const wanted = [`type:${known.type}`, `scope:${known.scope}`];
    const same = found.length === wanted.length && wanted.every((tag) => found.includes(tag));
    return same ? [] : [{ path, message: `must carry exactly the tags ${wanted.join(' and ')}` }];
  });
}
