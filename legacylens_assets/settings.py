"""One table of settings: name, default, unit and meaning. Read once at the edge, passed down as values.

A setting ``rrf_k`` is set by the environment variable ``LEGACYLENS_RRF_K`` or by ``rrf_k = …`` in ``legacylens.toml`` at the project's root;
the environment wins. Names that other tools fixed (``QDRANT_URL``, ``VOYAGE_API_KEY``…) keep theirs. Unknown names are errors.
"""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from types import MappingProxyType
from typing import Any

from legacylens_assets.errors import SettingError

PREFIX = "LEGACYLENS_"
CONFIG_FILE = "legacylens.toml"


@dataclass(frozen=True, slots=True)
class Setting:
    """One row of the table. ``env`` is the variable's name where it is not the prefix and the upper-cased name."""

    name: str
    default: str | int | float | bool
    unit: str
    help: str
    env: str = ""
    secret: bool = False
    choices: tuple[str, ...] = ()

    @property
    def variable(self) -> str:
        """Return the environment variable that sets it.

        >>> Setting("rrf_k", 60, "", "").variable
        'LEGACYLENS_RRF_K'
        """
        return self.env or PREFIX + self.name.upper()


SETTINGS: tuple[Setting, ...] = (
    Setting("data_dir", "data", "path", "Where everything generated lives, relative to the project's root"),
    Setting("registry", "data/codebases.toml", "path", "The registry of codebases"),
    Setting("profile", "embedded", "", "Encoders and models as a whole", choices=("embedded", "hub", "cloud")),
    Setting("dense", "", "", "Dense leg by name, over the profile's: minilm, voyage, hub, hash (tests), off"),
    Setting("splade", "", "", "SPLADE leg over the profile's: on, off, or the path of a model folder"),
    Setting("rerank", "", "", "Reranker over the profile's: off, onnx, hub"),
    Setting("rerank_candidates", 20, "chunks", "How many fused hits the reranker sees"),
    Setting("prefetch_limit", 50, "chunks", "Candidates of each leg"),
    Setting("rrf_k", 60, "", "The k of reciprocal rank fusion"),
    Setting("dense_weight", 1.0, "", "Weight of the dense leg in the fusion"),
    Setting("identifiers_weight", 1.0, "", "Weight of the identifiers leg in the fusion"),
    Setting("splade_weight", 1.0, "", "Weight of the SPLADE leg in the fusion"),
    Setting("max_chunks_per_file", 3, "chunks", "Most chunks of one file in a list until others run out"),
    Setting("repeat_factor", 0.75, "", "Factor on the score of each further chunk of a file in a list; 1 turns it off"),
    Setting("levers", "", "", "Context levers to turn off, comma-separated (see docs/evaluation.md)"),
    Setting("encode_batch", 16, "texts", "Texts in one encoding batch"),
    Setting("encode_threads", 2, "threads", "Threads of the embedded encoder while indexing"),
    Setting("encode_flush", 512, "texts", "Encoded texts between two writes to disk"),
    Setting("max_file_bytes", 2_000_000, "bytes", "Files above this are skipped"),
    Setting("fetch_timeout", 900, "seconds", "Longest one fetch of a codebase may take"),
    Setting("fetch_max_bytes", 2_000_000_000, "bytes", "Largest codebase after extraction"),
    Setting("fetch_max_files", 100_000, "files", "Most files of one codebase"),
    Setting("git_allow_file", False, "", "Allow file transport and local mirrors for git origins"),
    Setting("git_allow_private", False, "", "Allow git origins on private and loopback addresses"),
    Setting("keep_generations", 2, "generations", "Generations kept for each codebase"),
    Setting("lock_timeout", 600, "seconds", "How long a writer waits for the index lock"),
    Setting("qdrant_url", "", "url", "A Qdrant server; empty means the embedded store", env="QDRANT_URL"),
    Setting("qdrant_api_key", "", "", "Key of the Qdrant server", env="QDRANT_API_KEY", secret=True),
    Setting("qdrant_prefix", "legacylens", "", "Prefix of collections and aliases on the server"),
    Setting("qdrant_allow_plain_http", False, "", "Allow sending the key over plain http to a host that is not loopback"),
    Setting("qdrant_shards", 1, "shards", "Shards of a server collection"),
    Setting("qdrant_replicas", 1, "replicas", "Replication factor of a server collection"),
    Setting("qdrant_on_disk", False, "", "Keep server vectors on disk"),
    Setting("qdrant_quantisation", "none", "", "Scalar quantisation on the server", choices=("none", "int8")),
    Setting("voyage_api_key", "", "", "Key of Voyage", env="VOYAGE_API_KEY", secret=True),
    Setting("voyage_model", "voyage-code-3", "", "Voyage model id"),
    Setting("voyage_dimension", 1024, "", "Voyage output dimension"),
    Setting("voyage_base_url", "", "url", "Another address for Voyage"),
    Setting("hub_dense_model", "sentence-transformers/all-MiniLM-L6-v2", "", "Dense model of the hub profile"),
    Setting("hub_splade_model", "prithivida/Splade_PP_en_v1", "", "SPLADE model of the hub profile"),
    Setting("hub_rerank_model", "cross-encoder/ms-marco-MiniLM-L-6-v2", "", "Cross-encoder of the hub profile"),
    Setting("cerebras_api_key", "", "", "Key of Cerebras", env="CEREBRAS_API_KEY", secret=True),
    Setting("cerebras_model", "gpt-oss-120b", "", "Cerebras model id"),
    Setting("cerebras_base_url", "", "url", "Another address for Cerebras", env="CEREBRAS_BASE_URL"),
    Setting("groq_api_key", "", "", "Key of Groq", env="GROQ_API_KEY", secret=True),
    Setting("groq_model", "openai/gpt-oss-120b", "", "Groq model id"),
    Setting("groq_base_url", "", "url", "Another address for Groq (without /openai/v1)", env="GROQ_BASE_URL"),
    Setting("cerebras_price_input", 0.0, "USD/million tokens", "Price of a prompt token at Cerebras; 0 means not known, and no cost is given"),
    Setting("cerebras_price_output", 0.0, "USD/million tokens", "Price of an answer's token at Cerebras"),
    Setting("groq_price_input", 0.0, "USD/million tokens", "Price of a prompt token at Groq; 0 means not known, and no cost is given"),
    Setting("groq_price_output", 0.0, "USD/million tokens", "Price of an answer's token at Groq"),
    Setting("connect_timeout", 2.0, "seconds", "Providers: longest wait for a connection"),
    Setting("first_token_timeout", 5.0, "seconds", "Providers: longest wait for the first token"),
    Setting("token_timeout", 5.0, "seconds", "Providers: longest wait between tokens"),
    Setting("answer_timeout", 60.0, "seconds", "Providers: longest whole answer"),
    Setting("max_completion_tokens", 1200, "tokens", "Longest answer asked of a provider"),
    Setting("context_tokens", 6000, "tokens", "Budget of source text sent to a provider"),
    Setting("question_max_chars", 2000, "characters", "Longest question accepted"),
    Setting("rate_limit", 120, "requests/minute", "Questions accepted from one client; 0 means no limit"),
    Setting("host", "127.0.0.1", "", "Address that servers bind to"),
    Setting("allowed_hosts", "", "", "Further host names that requests may carry, comma-separated (behind a proxy or in a container)"),
    Setting("api_port", 8000, "port", "Port of the query API"),
    Setting("dagster_port", 3000, "port", "Port of the Dagster UI"),
    Setting("auto_index", True, "", "Index the enabled codebases in the background on `up`", env="AUTO_INDEX"),
    Setting("schedule_cron", "0 2 * * *", "cron", "When the nightly reindex runs"),
    Setting("schedule_timezone", "UTC", "", "Time zone of the nightly reindex"),
    Setting("alert_webhook", "", "url", "Where run failures are posted", secret=True),
    Setting("retention_days", 90, "days", "Age at which runs and events are deleted by the retention job"),
)
BY_NAME: Mapping[str, Setting] = MappingProxyType({s.name: s for s in SETTINGS})


@dataclass(frozen=True, slots=True)
class Settings:
    """Values of every setting, plus the project's root. ``settings.rrf_k`` and ``settings["rrf_k"]`` read a value."""

    root: Path
    values: Mapping[str, Any] = field(repr=False)

    def __getattr__(self, name: str) -> Any:  # noqa: ANN401 - one table of mixed types
        """Return the value of a setting; an unknown name is an AttributeError that lists close names."""
        try:
            return self.values[name]
        except KeyError:
            raise AttributeError(unknown_setting(name)) from None

    def __getitem__(self, name: str) -> Any:  # noqa: ANN401
        """Return the value of a setting."""
        return self.values[name]

    @property
    def data(self) -> Path:
        """Return the absolute folder of everything generated."""
        return (self.root / str(self.values["data_dir"])).resolve()

    @property
    def registry_path(self) -> Path:
        """Return the absolute path of the registry."""
        return (self.root / str(self.values["registry"])).resolve()

    def replace(self, **changes: Any) -> Settings:  # noqa: ANN401
        """Return settings with these values changed; unknown names are errors."""
        for name in changes:
            if name not in BY_NAME:
                raise SettingError(unknown_setting(name))
        return Settings(self.root, MappingProxyType({**self.values, **changes}))


def unknown_setting(name: str) -> str:
    """Return the message for a setting that does not exist."""
    import difflib

    near = difflib.get_close_matches(name, BY_NAME, n=3)
    hint = f"did you mean {', '.join(near)}?" if near else "`legacylens settings` lists them all"
    return f"unknown setting {name!r}: {hint}"


def load_settings(root: Path, environ: Mapping[str, str]) -> Settings:
    """Return the settings of a project: defaults, then ``legacylens.toml``, then ``environ``.

    Raises SettingError for an unknown ``LEGACYLENS_*`` variable, an unknown key of the file, or a value of the wrong type.
    A secret may be given as a file: ``GROQ_API_KEY_FILE=/run/secrets/groq``.
    """
    values: dict[str, Any] = {s.name: s.default for s in SETTINGS}
    values.update(_from_file(root / CONFIG_FILE))
    known = {s.variable for s in SETTINGS} | {s.variable + "_FILE" for s in SETTINGS if s.secret}
    for variable in environ:
        if variable.startswith(PREFIX) and variable not in known and variable not in RESERVED:
            raise SettingError(f"environment variable {variable}: {unknown_setting(variable[len(PREFIX) :].lower())}")
    for setting in SETTINGS:
        raw = _raw_value(setting, environ)
        if raw is not None:
            values[setting.name] = _convert(setting, raw, setting.variable)
    return Settings(root.resolve(), MappingProxyType(values))


RESERVED = frozenset({"LEGACYLENS_HOME"})


def find_root(start: Path, environ: Mapping[str, str]) -> Path:
    """Return the project's root: ``LEGACYLENS_HOME``, else the first folder upwards that holds data/codebases.toml, else the checkout."""
    if environ.get("LEGACYLENS_HOME"):
        return Path(environ["LEGACYLENS_HOME"]).resolve()
    for folder in (start, *start.parents):
        if (folder / "data" / "codebases.toml").is_file():
            return folder.resolve()
    return Path(__file__).resolve().parent.parent


def _from_file(path: Path) -> dict[str, Any]:
    if not path.is_file():
        return {}
    try:
        found = tomllib.loads(path.read_text(encoding="utf-8"))
    except tomllib.TOMLDecodeError as error:
        raise SettingError(f"{path}: not valid TOML: {error}") from error
    for name in found:
        if name not in BY_NAME:
            raise SettingError(f"{path}: {unknown_setting(name)}")
    return {name: _convert(BY_NAME[name], value, f"{path}: {name}") for name, value in found.items()}


def _raw_value(setting: Setting, environ: Mapping[str, str]) -> str | None:
    file = environ.get(setting.variable + "_FILE") if setting.secret else None
    if file:
        try:
            return Path(file).read_text(encoding="utf-8").strip()
        except OSError as error:
            raise SettingError(f"{setting.variable}_FILE={file}: cannot be read: {error.strerror}; give a readable file") from error
    return environ.get(setting.variable)


def _convert(setting: Setting, raw: Any, where: str) -> Any:  # noqa: ANN401
    """Return ``raw`` as the type of the setting's default."""
    kind = type(setting.default)
    if isinstance(raw, kind) and not (kind is int and isinstance(raw, bool)):
        value = raw
    elif kind is bool and str(raw).lower() in ("1", "true", "yes", "on", "0", "false", "no", "off"):
        value = str(raw).lower() in ("1", "true", "yes", "on")
    elif kind in (int, float):
        try:
            value = kind(raw)
        except ValueError:
            raise SettingError(f"{where}={raw!r}: expected a number of type {kind.__name__} ({setting.help.lower()})") from None
    else:
        raise SettingError(f"{where}={raw!r}: expected {kind.__name__} ({setting.help.lower()})")
    if setting.choices and value not in setting.choices:
        raise SettingError(f"{where}={raw!r}: expected one of {', '.join(setting.choices)}")
    return value
