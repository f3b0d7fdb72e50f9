// Lint rules for every TypeScript, Svelte and JavaScript file; layout is prettier's, not ESLint's.

import js from '@eslint/js'
import svelte from 'eslint-plugin-svelte'
import globals from 'globals'
import ts from 'typescript-eslint'

const withTypes = ['web/**/*.ts', 'tests/**/*.ts', 'e2e/**/*.ts', '*.config.ts']
const svelteFiles = ['**/*.svelte', '**/*.svelte.ts']

export default ts.config(
  { ignores: ['**/build/', '**/dist/', '**/node_modules/', 'coverage/', 'web/models/'] },
  { linterOptions: { reportUnusedDisableDirectives: 'error' } },
  js.configs.recommended,
  { rules: { eqeqeq: 'error', 'no-console': 'error', 'prefer-const': 'error' } },
  {
    files: ['scripts/**/*.mjs', '*.config.js', 'tests/**/*.mjs', 'e2e/**/*.mjs'],
    languageOptions: { globals: globals.node },
    rules: { 'no-console': 'off' },
  },
  {
    files: ['tests/bench/**/*.js', 'web/app/src/limits/*.js'],
    languageOptions: { globals: { ...globals.browser, ...globals.worker } },
  },
  {
    // Projects of users: pages, Workers, configurations, a little JSX.
    files: ['e2e/consumers/**/*.{js,jsx,cjs}'],
    languageOptions: {
      globals: { ...globals.browser, ...globals.node },
      parserOptions: { ecmaFeatures: { jsx: true } },
    },
    rules: { 'no-console': 'off' },
  },
  {
    files: ['**/*.jsx'],
    rules: { 'no-unused-vars': ['error', { varsIgnorePattern: '^[A-Z]' }] },
  },
  {
    files: [...withTypes, ...svelteFiles],
    extends: [ts.configs.strictTypeChecked],
    languageOptions: {
      parserOptions: {
        projectService: true,
        extraFileExtensions: ['.svelte'],
        tsconfigRootDir: import.meta.dirname,
      },
    },
    rules: {
      '@typescript-eslint/restrict-template-expressions': ['error', { allowNumber: true }],
      '@typescript-eslint/no-confusing-void-expression': ['error', { ignoreArrowShorthand: true }],
      '@typescript-eslint/consistent-type-imports': 'error',
    },
  },
  {
    files: svelteFiles,
    extends: [svelte.configs.recommended],
    languageOptions: {
      globals: globals.browser,
      parserOptions: { parser: ts.parser },
    },
    // Props are destructured together, and one that is bound makes the declaration a `let`.
    rules: {
      'prefer-const': 'off',
      'svelte/prefer-const': ['error', { destructuring: 'all', excludedRunes: ['$state'] }],
    },
  },
)
