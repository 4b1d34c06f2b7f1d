"""What a parser is and what it promises.

A parser is a function ``parse(source: SourceFile) -> ParsedFile``. It never raises on any input, always ends, is deterministic and linear in
the number of characters. Lines are 1-based and inclusive, columns 1-based as the manuals count them; byte offsets never leave a module.
Symbols are ordered by start line (an enclosing symbol before the ones it holds); spans lie inside the file; a child lies inside its parent.

Symbol kinds (`legacylens parse` prints these very words):
  cobol    program section paragraph | division data_item file copy entry
  fortran  program subroutine function module submodule procedure block_data | type interface include entry common
  c        function | struct union enum typedef macro include variable
  jcl      job proc step dd | include
  pli      package procedure begin entry | declaration include
  rpg      procedure subroutine | data_structure file prototype constant copy
  text     heading | map mapset field command label section table record

Reference kinds (raw, as the source names them; the graph stage resolves them):
  perform (detail thru=)  goto  call (literal)  call_dynamic (target = identifier; detail values= comma list of literals moved to it)
  copy  include  use  common  function_ref  exsr
  exec_pgm  exec_proc  control_card (detail utility=, verb=)
  dd (target = dataset name as written; detail ddname=, disp=, access=read|write|delete, generation=, step=)
  sql_read  sql_write (target = table)  sql_cursor
  cics_link  cics_xctl  cics_start  cics_return (target = program or transaction id, literal or data name with detail dynamic=1)
  cics_map (detail mapset=)  cics_file (detail access=)  cics_queue
  transaction (target = transaction id that starts a program; detail program=)
  file_assign (target = ddname; detail file=)  file_read  file_write
  field_set  field_used (target = data name)
"""

from __future__ import annotations

from typing import Protocol

from legacylens_assets.types import ParsedFile, SourceFile


class Parser(Protocol):
    """Turns one source file into symbols, references, problems and line roles. Never raises."""

    def __call__(self, source: SourceFile) -> ParsedFile:
        """Return the structure of ``source``; anything not understood is a Problem."""
        ...
