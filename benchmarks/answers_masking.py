"""Lines that masking and withholding change, for each 1,000 lines of whole source trees: every one is printed, to be judged by a reader.

usage: python -m benchmarks.answers_masking [--save] [--every N] FOLDER... ; --every N looks at one file in N.
"""

import sys
from pathlib import Path

from benchmarks.common import save
from legacylens_assets.answer.safety import is_addressed, neutralise
from legacylens_assets.answer.secrets import mask_secrets
from legacylens_assets.manifest import walk

LANGUAGES = {
    ".cbl": "cobol", ".cob": "cobol", ".cpy": "cobol", ".jcl": "jcl", ".f": "fortran", ".f90": "fortran", ".c": "c", ".h": "c", ".pl1": "pli",
    ".rpgle": "rpg", ".sqlrpgle": "rpg", ".rpg": "rpg", ".md": "text", ".txt": "text", ".info": "text", ".clle": "text", ".bms": "text",
}  # fmt: skip


def measure(folder: Path, every: int) -> dict:
    lines = masked = withheld = 0
    shown = []
    for number, path in enumerate(sorted(walk(folder))):
        language = LANGUAGES.get(Path(path).suffix.lower())
        if language is None or number % every:
            continue
        try:
            text = (folder / path).read_text(encoding="utf-8", errors="replace")
        except OSError:
            continue
        clean = [neutralise(line)[:2000] for line in text.split("\n")]
        lines += len(clean)
        for place, (line, kept) in enumerate(zip(clean, mask_secrets(clean, language), strict=True), 1):
            if kept != line:
                masked += 1
                shown.append(f"masked {path}:{place}: {kept.strip()[:140]}")
            if is_addressed(line):
                withheld += 1
                shown.append(f"withheld {path}:{place}: {line.strip()[:140]}")
    print(folder.name, *shown, sep="\n  ", file=sys.stderr)
    thousand = lines / 1000 or 1
    return {
        "lines": lines, "masked": masked, "withheld": withheld, "masked_per_kloc": round(masked / thousand, 4),
        "withheld_per_kloc": round(withheld / thousand, 4),
    }  # fmt: skip


def main() -> None:
    every = int(sys.argv[sys.argv.index("--every") + 1]) if "--every" in sys.argv else 1
    folders = [Path(a) for a in sys.argv[1:] if not a.startswith("-") and not a.isdigit()]
    save("answers_masking", {folder.name: measure(folder, every) for folder in folders})


if __name__ == "__main__":
    main()
