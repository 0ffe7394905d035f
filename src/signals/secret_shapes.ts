/**
 * What secrets look like: shapes of tokens, and names whose values are secret. Data for `redact.ts`.
 *
 * Every expression is linear: no repetition stands beside another that takes the same characters, and
 * repetitions after a keyword have a bound.
 *
 * @module
 */

/** A kind of secret that is known by its shape. */
export interface SecretShape {
  /** What is written in its place: `[redacted:NAME]`. */
  readonly name: string;
  /** Text that every such secret contains, in lower case; looked for first, since it is cheap. */
  readonly hints: readonly string[];
  /** The secret. When it has groups, the first is kept in front of the mark, and the second behind it. */
  readonly pattern: RegExp;
}

/** Characters that end a value: quotes, white space, separators of shells and of lists. */
const VALUE = String.raw`[^\s"'\`,;&|<>)\]}]`;

/** Shapes, most particular first: the first one that matches names the mark. */
export const SECRET_SHAPES: readonly SecretShape[] = [
  {
    name: "private-key",
    hints: ["private key"],
    // An end that is missing (cut text) means: to the end.
    pattern:
      /-----BEGIN [A-Z ]{0,40}PRIVATE KEY(?: BLOCK)?-----[\s\S]*?(?:-----END [A-Z ]{0,40}PRIVATE KEY(?: BLOCK)?-----|$)/g,
  },
  { name: "anthropic-key", hints: ["sk-ant-"], pattern: /\bsk-ant-[\w-]{8,}/g },
  { name: "api-key", hints: ["sk-"], pattern: /\bsk-[A-Za-z0-9][\w-]{11,}/g },
  {
    name: "stripe-key",
    hints: ["k_live_", "k_test_", "whsec_"],
    pattern: /\b(?:[sr]k_(?:live|test)_|whsec_)[A-Za-z0-9]{8,}/g,
  },
  {
    name: "aws-key-id",
    hints: ["akia", "asia", "abia", "acca"],
    pattern: /\b(?:AKIA|ASIA|ABIA|ACCA)[A-Z0-9]{16}\b/g,
  },
  {
    name: "github-token",
    hints: ["ghp_", "gho_", "ghu_", "ghs_", "ghr_"],
    pattern: /\bgh[pousr]_[A-Za-z0-9]{16,}/g,
  },
  { name: "github-token", hints: ["github_pat_"], pattern: /\bgithub_pat_\w{16,}/g },
  {
    name: "gitlab-token",
    hints: ["glpat-", "gldt-", "glrt-", "glptt-"],
    pattern: /\bgl(?:pat|dt|rt|ptt)-[\w-]{12,}/g,
  },
  { name: "slack-token", hints: ["xox", "xapp-"], pattern: /\b(?:xox[abeoprs]|xapp)-[\w-]{8,}/g },
  {
    name: "slack-webhook",
    hints: ["hooks.slack.com"],
    pattern: /(hooks\.slack\.com\/services\/)[\w/-]+/g,
  },
  { name: "google-key", hints: ["aiza"], pattern: /\bAIza[\w-]{30,}/g },
  { name: "google-token", hints: ["ya29."], pattern: /\bya29\.[\w-]{16,}/g },
  { name: "npm-token", hints: ["npm_"], pattern: /\bnpm_[A-Za-z0-9]{20,}/g },
  { name: "pypi-token", hints: ["pypi-"], pattern: /\bpypi-[\w-]{16,}/g },
  { name: "huggingface-token", hints: ["hf_"], pattern: /\bhf_[A-Za-z0-9]{16,}/g },
  { name: "sendgrid-key", hints: ["sg."], pattern: /\bSG\.[\w-]{10,}\.[\w-]{10,}/g },
  {
    name: "digitalocean-token",
    hints: ["dop_v1_", "doo_v1_", "dor_v1_"],
    pattern: /\bdo[opr]_v1_[a-f0-9]{16,}/g,
  },
  { name: "vault-token", hints: ["hvs.", "hvb."], pattern: /\bhv[sb]\.[\w-]{16,}/g },
  {
    name: "shopify-token",
    hints: ["shpat_", "shpca_", "shppa_", "shpss_"],
    pattern: /\bshp(?:at|ca|pa|ss)_[a-fA-F0-9]{16,}/g,
  },
  { name: "docker-token", hints: ["dckr_pat_"], pattern: /\bdckr_pat_[\w-]{16,}/g },
  { name: "databricks-token", hints: ["dapi"], pattern: /\bdapi[a-f0-9]{32}\b/g },
  { name: "grafana-token", hints: ["glsa_", "glc_"], pattern: /\bgl(?:sa|c)_[\w+/=-]{16,}/g },
  { name: "age-key", hints: ["age-secret-key-"], pattern: /\bAGE-SECRET-KEY-1[A-Z0-9]{16,}/gi },
  {
    name: "api-key",
    hints: [
      "gsk_",
      "xai-",
      "pplx-",
      "r8_",
      "lin_api_",
      "ntn_",
      "figd_",
      "pmak-",
      "sntrys_",
      "atatt3",
      "nrak-",
      "key-",
    ],
    pattern:
      /\b(?:gsk_|xai-|pplx-|r8_|lin_api_|ntn_|figd_|PMAK-|sntrys_|ATATT3|NRAK-|key-)[\w-]{20,}/g,
  },
  { name: "json-web-token", hints: ["eyj"], pattern: /\beyJ[\w-]{8,}\.eyJ[\w-]{8,}(?:\.[\w-]+)?/g },
  {
    name: "url-password",
    hints: ["://"],
    // scheme://user:PASSWORD@host
    pattern: /(:\/\/[^\s/:@"'`]{0,128}:)[^\s/@"'`]{1,256}(@)/g,
  },
  {
    name: "authorization",
    hints: ["authorization", "proxy-auth", "x-api-key", "x-auth", "cookie"],
    pattern: new RegExp(
      String
        .raw`(\b(?:proxy-)?(?:authorization|x-api-key|x-auth-token|cookie)["']?\s{0,4}[:=]\s{0,4}["']?(?:(?:bearer|basic|token|digest)\s{1,4})?)(?!(?:\w{5,6}\s{1,4})?\[redacted)${VALUE}{1,4096}`,
      "gi",
    ),
  },
  {
    name: "bearer-token",
    hints: ["bearer "],
    pattern: new RegExp(String.raw`(\bbearer\s{1,4})(?!\[redacted)${VALUE}{8,4096}`, "gi"),
  },
  {
    name: "user-password",
    hints: ["-u", "--user"],
    // curl -u user:PASSWORD
    pattern: new RegExp(
      String
        .raw`((?:\s|^)(?:-u|--user)[\s=]{0,4}["']?[\w.@+-]{1,128}:)(?!\[redacted)${VALUE}{1,256}`,
      "g",
    ),
  },
  {
    name: "secret",
    hints: [
      "passw",
      "secret",
      "token",
      "api",
      "access",
      "private",
      "credential",
      "pwd",
      "passphrase",
      "accountkey",
    ],
    // NAME_PASSWORD=value, "api_key": "value", --token value; not a reference to a variable ($NAME)
    pattern: new RegExp(
      String
        .raw`((?:password|passwd|passphrase|pwd|secret|token|api[-_]?key|access[-_]?key|private[-_]?key|credentials?|accountkey)(?:[-_](?:id|key|value|access[-_]key))?["']?(?:\s{0,4}[=:]\s{0,4}|\s{1,4}(?=[^\s-])(?<=--[\w-]{1,64}\s{1,4}))["']?)(?!\$|\[redacted|true\b|false\b|null\b|none\b|undefined\b)(?:${VALUE}){1,4096}`,
      "gi",
    ),
  },
];

/** Names of fields whose whole text is secret. `max_tokens` and `token_count` are not. */
export const SECRET_FIELD =
  /(?:^|[-_.]|[a-z](?=[A-Z]))(?:password|passwd|passphrase|pwd|secret|token|credential|credentials|authorization|cookie|apikey|(?:api|access|private|signing|encryption)[-_]?key|secret[-_]?access[-_]?key)$/i;

/** Files whose contents are secret, by name: environments, netrc, private keys, password files, cloud logins. */
export const PROTECTED_FILE =
  /(?:^|[\s/\\"'=:<>(@])(?:\.env(?:\.(?!example\b|sample\b|template\b|dist\b)[\w-]+)*|\.envrc|\.netrc|_netrc|\.htpasswd|\.pgpass|\.npmrc|\.pypirc|\.git-credentials|id_(?:rsa|ed25519|ecdsa|dsa)|[\w.-]{1,64}\.(?:pem|p12|pfx|keystore|jks)|\.ssh[/\\][\w.-]+|\.aws[/\\]credentials|\.docker[/\\]config\.json|\.kube[/\\]config)(?=$|[\s"'`;|&<>)])/i;
