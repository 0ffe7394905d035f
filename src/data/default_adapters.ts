import { AdapterRegistry } from "./adapter_registry.ts";
import { csvAdapter } from "./csv_adapter.ts";
import { jsonAdapter } from "./json_adapter.ts";
import { jsonLinesAdapter } from "./json_lines_adapter.ts";
import { tomlAdapter } from "./toml_adapter.ts";
import { yamlAdapter } from "./yaml_adapter.ts";

/** Makes a registry with the adapters for JSON, JSON Lines, CSV, YAML and TOML. */
export function defaultAdapters(): AdapterRegistry {
  return new AdapterRegistry()
    .register(jsonAdapter)
    .register(jsonLinesAdapter)
    .register(csvAdapter)
    .register(yamlAdapter)
    .register(tomlAdapter);
}
