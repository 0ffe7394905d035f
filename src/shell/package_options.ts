/** Options of `npx` and its like. */
export const NPX =
  "-y --yes --no -n --no-install --quiet -q --ignore-existing --prefer-offline --offline --help! -h! --version! " +
  "-v! -p= --package= -c=script --call=script -w= --workspace= --workspaces --include-workspace-root --registry= " +
  "--cache= --userconfig= --node-options= --shell= --loglevel= --bun -b --silent -s --verbose";

/** Options of `uv run`, `pipx run` and their like. */
export const RUN_TOOL =
  "-q --quiet -v --verbose -h! --help! -V! --version! --no-project --isolated --offline --frozen --locked " +
  "--no-sync --active --all-extras --dev --no-dev --all-groups --no-cache --native-tls --refresh --with= --with-editable= " +
  "--with-requirements= --python= -p= --from= --extra= --group= --package= --env-file= --directory=directory " +
  "--project= --index-url= --extra-index-url= --index= --default-index= --refresh-package= -m! --module! -s! --script! --spec= --pip-args=";
