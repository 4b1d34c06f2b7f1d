"""The error tree. A message names the thing, the value seen, what was expected, and the next step.

LegacyLensError
├── SettingError       a setting has an unknown name or a bad value
├── RegistryError      data/codebases.toml has a bad entry
├── SourceError        a codebase could not be fetched or failed verification
├── IndexError_        the index is missing, locked, damaged or stamped with other encoders
│   ├── NoIndex
│   ├── FingerprintMismatch
│   └── GenerationGone
├── EncoderError       a model is missing, damaged or gave invalid vectors
├── ProviderError      a language model provider failed
├── QuestionError      a question file has a bad line
└── MissingExtra       an optional dependency is needed: names the extra to install
"""

from __future__ import annotations


class LegacyLensError(Exception):
    """Root of every error that LegacyLens raises on purpose.

    ``code`` is stable and appears in JSON and SSE; ``exit_code`` is that of the command line.
    """

    code = "error"
    exit_code = 1
    retryable = False


class SettingError(LegacyLensError):
    """A setting has an unknown name or a value that does not fit."""

    code = "bad_setting"
    exit_code = 2


class RegistryError(LegacyLensError):
    """An entry of the registry is wrong; the message gives file, line and what was expected."""

    code = "bad_registry"
    exit_code = 2


class UsageError(LegacyLensError):
    """A caller asked for something that does not exist: a codebase, a language, a route parameter."""

    code = "bad_request"
    exit_code = 2


class SourceError(LegacyLensError):
    """A codebase could not be fetched from any origin, or did not verify."""

    code = "source_unavailable"
    retryable = True


class IndexError_(LegacyLensError):
    """The index cannot be used as asked."""

    code = "index_error"


class NoIndex(IndexError_):
    """Nothing has been indexed yet."""

    code = "no_index"


class FingerprintMismatch(IndexError_):
    """The index was built by other encoders than those that ask."""

    code = "fingerprint_mismatch"


class GenerationGone(IndexError_):
    """A named generation was collected or never existed."""

    code = "generation_gone"


class EncoderError(LegacyLensError):
    """A model is missing or damaged, or returned vectors that are not valid."""

    code = "encoder_error"


class ProviderError(LegacyLensError):
    """A language model provider failed; the caller falls back to the next."""

    code = "provider_error"
    retryable = True


class QuestionError(LegacyLensError):
    """A question file has a line that cannot be scored."""

    code = "bad_questions"
    exit_code = 2


class MissingExtra(LegacyLensError):
    """An optional dependency is needed; the message names the extra."""

    code = "missing_extra"
