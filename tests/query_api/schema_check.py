"""The part of JSON Schema that docs/schema uses: type, required, properties, items, enum, additionalProperties."""

from typing import Any

TYPES = {
    "object": dict, "array": list, "string": str, "boolean": bool, "null": type(None),
}  # fmt: skip
KNOWN = {"$schema", "title", "description", "examples", "type", "required", "properties", "items", "enum", "additionalProperties"}


def problems(value: Any, schema: dict, place: str = "$") -> list[str]:
    """Return what does not fit, [] when the value is valid."""
    unknown = set(schema) - KNOWN
    if unknown:
        return [f"{place}: the checker does not know {sorted(unknown)}"]
    kinds = schema.get("type", [])
    kinds = [kinds] if isinstance(kinds, str) else kinds
    if kinds and not any(_is(value, kind) for kind in kinds):
        return [f"{place}: {value!r} is not {' or '.join(kinds)}"]
    found = [] if value in schema.get("enum", [value]) else [f"{place}: {value!r} is not one of {schema['enum']}"]
    if isinstance(value, dict):
        found += [f"{place}: {name} is missing" for name in schema.get("required", []) if name not in value]
        for name, item in value.items():
            if name in schema.get("properties", {}):
                found += problems(item, schema["properties"][name], f"{place}.{name}")
            elif schema.get("additionalProperties") is False:
                found.append(f"{place}: {name} is not known")
    if isinstance(value, list) and "items" in schema:
        for number, item in enumerate(value):
            found += problems(item, schema["items"], f"{place}[{number}]")
    return found


def _is(value: Any, kind: str) -> bool:
    if kind == "number":
        return isinstance(value, int | float) and not isinstance(value, bool)
    if kind == "integer":
        return isinstance(value, int) and not isinstance(value, bool)
    return isinstance(value, TYPES[kind])
