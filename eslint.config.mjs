import js from '@eslint/js';
import nx from '@nx/eslint-plugin';
import prettier from 'eslint-config-prettier';
import { defineConfig } from 'eslint/config';
import tseslint from 'typescript-eslint';

const SCOPES = ['sms', 'push', 'email', 'messenger', 'ingest', 'redrive', 'status', 'campaign', 'console'];
const scopeRules = [
  { sourceTag: 'scope:shared', onlyDependOnLibsWithTags: ['scope:shared'] },
  ...SCOPES.map((s) => ({
    sourceTag: `scope:${s}`,
    onlyDependOnLibsWithTags: [`scope:${s}`, 'scope:shared'],
  })),
];
const may = (source, ...types) => ({
  sourceTag: `type:${source}`,
  onlyDependOnLibsWithTags: types.map((t) => `type:${t}`),
});
const typeRules = [
  may('contract', 'contract'),
  may('bootstrap'),
  may('platform', 'platform', 'contract'),
  may('adapter', 'platform', 'contract'),
  may('policy', 'adapter', 'platform', 'contract'),
  may('pipeline', 'policy', 'adapter', 'platform', 'contract'),
  may('app', 'pipeline', 'policy', 'adapter', 'platform', 'bootstrap', 'contract'),
  may('tool', 'tool', 'adapter', 'platform', 'bootstrap', 'contract'),
  may('testing', 'testing', 'tool', 'pipeline', 'policy', 'adapter', 'platform', 'bootstrap', 'contract'),
  may('e2e', 'testing', 'tool', 'contract'),
];

/** Who may import what: each project's type and scope both decide. */
const boundaries = (types) => [
  'error',
  { enforceBuildableLibDependency: true, allow: [], depConstraints: [...types, ...scopeRules] },
];
const tool = (...more) => [
  ...typeRules.filter((rule) => rule.sourceTag !== 'type:tool'),
  may('tool', 'tool', 'adapter', 'platform', 'bootstrap', 'contract', ...more),
];

export default defineConfig(
  { ignores: ['**/dist', '**/out-tsc', '**/coverage', '**/node_modules', '.nx', '.stack', '.testkit'] },
  js.configs.recommended,
  {
    files: ['**/*.ts'],
    extends: [tseslint.configs.recommendedTypeChecked],
    plugins: { '@nx': nx },
    languageOptions: {
      parserOptions: {
        projectService: true,
        tsconfigRootDir: import.meta.dirname,
        emitDecoratorMetadata: true,
        experimentalDecorators: true,
      },
    },
    rules: {
      '@typescript-eslint/consistent-type-imports': 'error',
      '@typescript-eslint/switch-exhaustiveness-check': [
        'error',
        { considerDefaultExhaustiveForUnions: true },
      ],
      '@typescript-eslint/no-unused-vars': ['error', { argsIgnorePattern: '^_', varsIgnorePattern: '^_' }],
      '@nx/enforce-module-boundaries': boundaries(typeRules),
    },
  },
  {
    // measures every layer, so it may import every layer
    files: ['tools/bench/**/*.ts'],
    rules: { '@nx/enforce-module-boundaries': boundaries(tool('policy', 'pipeline', 'testing')) },
  },
  {
    // reads the catalogue, whose one reader is accept's
    files: ['tools/topics/**/*.ts'],
    rules: { '@nx/enforce-module-boundaries': boundaries(tool('policy')) },
  },
  {
    // apps and tools read the environment in main.ts and config.ts; libs take options
    files: ['libs/**/*.ts'],
    ignores: ['**/*.spec.ts', '**/*.itest.ts'],
    rules: {
      'no-restricted-properties': [
        'error',
        { object: 'process', property: 'env', message: 'libs take options' },
      ],
    },
  },
  {
    files: ['**/*.spec.ts', '**/*.itest.ts', '**/*.e2e.ts', '**/{spec,test}/**/*.ts'],
    rules: {
      '@nx/enforce-module-boundaries': 'off',
      '@typescript-eslint/no-unsafe-assignment': 'off',
      '@typescript-eslint/no-unsafe-member-access': 'off',
      '@typescript-eslint/unbound-method': 'off',
    },
  },
  {
    files: ['**/*.cjs', '**/*.mjs'],
    languageOptions: {
      sourceType: 'commonjs',
      globals: {
        require: 'readonly',
        module: 'writable',
        __dirname: 'readonly',
        process: 'readonly',
        console: 'readonly',
        setTimeout: 'readonly',
        clearTimeout: 'readonly',
        setInterval: 'readonly',
        clearInterval: 'readonly',
        Buffer: 'readonly',
        fetch: 'readonly',
        URL: 'readonly',
        performance: 'readonly',
        AbortSignal: 'readonly',
      },
    },
  },
  { files: ['**/*.mjs'], languageOptions: { sourceType: 'module' } },
  prettier,
);
