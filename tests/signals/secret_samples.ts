/**
 * Made-up secrets of every shape that is known, and harmless text that looks a little like one. Built from parts, so
 * that no scanner takes this file for a leak.
 *
 * @module
 */

const letters = (count: number) => "aB3dE5gH7jK9mN1pQ2sT4vW6xY8z".repeat(10).slice(0, count);
const digits = (count: number) => "0a1b2c3d4e5f6789".repeat(10).slice(0, count);
const capitals = (count: number) => "A1B2C3D4E5F6G7H8".repeat(10).slice(0, count);

/** Text, the part that must not be stored, and the mark that stands there instead. */
export const SECRETS: readonly (readonly [name: string, text: string, secret: string])[] = [
  ["anthropic-key", `key sk-ant-${letters(40)} end`, letters(40)],
  ["api-key", `sk-${letters(30)}`, letters(30)],
  ["api-key", `sk-proj-${letters(30)}`, letters(30)],
  ["stripe-key", `sk_live_${letters(24)}`, letters(24)],
  ["stripe-key", `whsec_${letters(24)}`, letters(24)],
  ["aws-key-id", `AKIA${capitals(16)}`, capitals(16)],
  ["github-token", `https://x/ ghp_${letters(36)}`, letters(36)],
  ["github-token", `ghs_${letters(36)}`, letters(36)],
  ["github-token", `github_pat_${letters(50)}`, letters(50)],
  ["gitlab-token", `glpat-${letters(20)}`, letters(20)],
  ["slack-token", `xoxb-${letters(30)}`, letters(30)],
  ["slack-webhook", `https://hooks.slack.com/services/${capitals(8)}/${letters(20)}`, letters(20)],
  ["google-key", `AIza${letters(35)}`, letters(35)],
  ["google-token", `ya29.${letters(40)}`, letters(40)],
  ["npm-token", `npm_${letters(36)}`, letters(36)],
  ["pypi-token", `pypi-${letters(60)}`, letters(60)],
  ["huggingface-token", `hf_${letters(34)}`, letters(34)],
  ["sendgrid-key", `SG.${letters(22)}.${letters(43)}`, letters(43)],
  ["digitalocean-token", `dop_v1_${digits(64)}`, digits(64)],
  ["vault-token", `hvs.${letters(24)}`, letters(24)],
  ["shopify-token", `shpat_${digits(32)}`, digits(32)],
  ["docker-token", `dckr_pat_${letters(27)}`, letters(27)],
  ["databricks-token", `dapi${digits(32)}`, digits(32)],
  ["grafana-token", `glsa_${letters(32)}`, letters(32)],
  ["age-key", `AGE-SECRET-KEY-1${capitals(50)}`, capitals(50)],
  ["api-key", `gsk_${letters(40)}`, letters(40)],
  ["api-key", `xai-${letters(40)}`, letters(40)],
  ["json-web-token", `eyJ${letters(20)}.eyJ${letters(30)}.${letters(20)}`, letters(30)],
  [
    "private-key",
    `-----BEGIN RSA PRIVATE KEY-----\nMII${letters(60)}\n-----END RSA PRIVATE KEY-----`,
    letters(60),
  ],
  [
    "private-key",
    `-----BEGIN RSA PRIVATE KEY-----\nProc-Type: 4,ENCRYPTED\n\n${
      letters(60)
    }\n-----END RSA PRIVATE KEY-----`,
    letters(60),
  ],
  ["private-key", `-----BEGIN OPENSSH PRIVATE KEY-----\nb3B${letters(60)}`, letters(60)],
  ["url-password", `postgres://admin:hunter2@db.internal/app`, "hunter2"],
  ["authorization", `curl -H 'Authorization: Bearer FAKE'`, "FAKE"],
  ["authorization", `curl -H "x-api-key: abc123def" https://x`, "abc123def"],
  ["authorization", `Cookie: session=verysecretvalue`, "verysecretvalue"],
  ["bearer-token", `the bearer abcdefgh12345678 was sent`, "abcdefgh12345678"],
  ["user-password", `curl -u admin:hunter2 https://x`, "hunter2"],
  ["user-password", `curl --user=admin:hunter2 https://x`, "hunter2"],
  ["secret", `export DB_PASSWORD=hunter2`, "hunter2"],
  ["secret", `AWS_SECRET_ACCESS_KEY=${letters(40)}`, letters(40)],
  ["secret", `{"api_key": "hunter2hunter2"}`, "hunter2hunter2"],
  ["secret", `mytool --token hunter2 run`, "hunter2"],
  ["secret", `mytool --api-key=hunter2 run`, "hunter2"],
  ["secret", `passphrase: 'hunter2'`, "hunter2"],
  ["secret", `pwd = hunter2`, "hunter2"],
  ["secret", `client_secret=hunter2&grant=x`, "hunter2"],
];

/** Text that must be stored as it is. */
export const HARMLESS: readonly string[] = [
  "git status --short",
  "ls -la src/api/tokens.ts",
  "pwd && ls",
  "export PASSWORD=$DB_PASSWORD",
  "npm run test -- --update",
  "git push -u origin main",
  "sort -u names.txt",
  "https://example.org:8080/path",
  "ssh user@host uptime",
  '{"max_tokens": 4096, "tokenizer": "cl100k"}',
  "the secret of good tests",
  "sk-learn",
  "docker run -e TOKEN=true x",
  "secret: null",
  "x".repeat(500),
];
