"""Which literals can stand in a field that names a program, transaction or file.

They come from VALUE clauses, MOVEs and SET condition TO TRUE, followed from field to field.
"""

from __future__ import annotations

import re

from legacylens_assets.parsers.cobol.reading import Reading

_NAME = re.compile(r"[A-Za-z0-9@#$_.-]+")
DYNAMIC = ("call_dynamic", "cics_link", "cics_xctl", "cics_start", "cics_return", "cics_map", "cics_file", "cics_queue", "file_assign")


def settle_values(r: Reading) -> None:
    """Fill in ``values`` of every reference made through a field, and the external names of files written through their records."""
    for mention in r.mentions:
        detail = mention.detail
        if mention.kind == "call_dynamic" or (mention.kind in DYNAMIC and (detail.get("dynamic") or detail.get("word"))):
            values = [value for value in r.values(detail.get("assign", mention.target).upper()) if _NAME.fullmatch(value)]
            if values:
                detail["values"] = ",".join(values)
        elif mention.kind == "file_write" and mention.target in r.file_of_record:
            detail["record"] = mention.target
            mention.target = r.file_of_record[mention.target]
        if mention.kind in ("file_read", "file_write") and mention.target in r.assigned:
            detail["ddname"] = r.assigned[mention.target]
        detail.pop("word", None)
        detail.pop("literal", None)
