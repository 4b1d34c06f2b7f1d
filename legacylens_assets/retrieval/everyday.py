"""Words that are no identifiers although a symbol may have the same name."""

from __future__ import annotations

EVERYDAY = frozenset(
    """
    account accounts action actions active add added adding address addresses adjust again against age agent aggregate alert allocate
    allocated allow allowed alphabetical amount amounts another answer applied apply approve area argument arguments around array arrays
    assign authorise authorize automatic available average back backup bad balance balances bank base basic batch become begin beginning
    behind belong below benefit best better big bill billing binary bit bits blank block blocks body book boundary branch branches break
    browse buffer build building built business button buy byte bytes calculate calculated calculates calculation call called caller calls
    cancel cannot card cards carry case cash catalog category cause cell center central century chain change changed changes changing
    channel character characters charge charges check checked checking checks child choice choose city claim class clean clear client clock
    close closed closes closing collect column columns combine come command commands comment commit common company compare compared
    comparison compile complete completed computation compute computed computes condition conditions configuration confirm connect
    connection consider contain contains content contents continue contract control controls conversion convert converted copied copies copy
    correct cost count counted counter country counts create created creates creating credit credits criteria currency current currently
    customer customers cut cycle daily damage data database date dates day days deal debit decide decided decimal decision declare decode
    decrease default define defined defines definition delay delete deleted deletes delivery demand department deposit depth detail details
    detect determine determined determines device diagonal difference different digit digits dimension direct direction directory discount
    display displayed displays divide document documentation double down driver drop due duplicate duration during early edit effect
    eigenvalue eigenvalues element elements email employee empty enable encode end ended ending ends enough enter entered enters entire
    entries entry equal equation equations error errors estimate evaluate event example exceed exceeds except exception excess exchange
    exclude execute executed executes execution exist existing exists exit expect expected expense expiration expired expiry export
    expression extend extra extract factor factorization fail failed fails failure false fee fees fetch field fields figure file files fill
    final find first fit fixed flag flags float floating flow folder follow following follows force form format formats formatted formula
    forward found four free frequency full function functions fund funds future general generate generated generates goes good greater gross
    group grow guarantee half header heading help hidden high higher history hold holder holds home hour house identifier identify ignore
    image immediate implement implemented import include included includes income incoming incorrect increase increment index indicate
    indicator individual information initial initialise initialize input inputs insert inserted inside install instead insurance integer
    interest interface internal into invalid inventory invoice invoices issue item items iteration job jobs join journal keep keeps key
    keyboard keys kinds know known label language large largest last late later layout lead leap least leave left length less letter level
    library life limit limits line linear lines link list listed lists load loaded loads loan local lock locked log login long look lookup
    loop loss lost low lower mail main maintain maintenance make manage management manager manual map mark master match matched matches
    matching matrices matrix maximum mean means measure member memory menu merge message messages meta method middle minimum minute missing
    mistake mode model modified modify module moment money month monthly months motor move moved moves multiple multiply name named names
    need needed needs negative nested network never new next night nightly node normal note notice null number numbers numeric object obtain
    occur occurs offset old once open opened opening opens operand operation operations operator option optional options order orders origin
    original orthogonal outcome output outputs outside outstanding overall overdraft overdrawn overdue overflow owner package page paid
    paragraph parameter parameters parent parse parsed parser partial parts pass passed passes password past path pattern pay payable paying
    payment payments payroll penalty pending people percent percentage perform performed period permission person phone picture piece point
    pointer points policies policy position positive possible post posted posting postings posts precision prefix prepare present press
    pretty prevent previous price prices primary principal print printed printer prints prior priority problem procedure procedures process
    processed processes processing produce produced produces product products profile prompt property protect provide provided provides
    purchase purpose put quantity quarter queries query question queue quick quit quote raise range rate rates ratio raw reach read reader
    reading reads real reason receive received receives recent record recorded records recover recovery redefine reduce reference refund
    register reject rejected rejects relate related relationship release remain remaining remove removed removes rename repeat repeated
    replace replaced report reported reporting reports request requested required requires reset resolve resource response responsible rest
    restart restore result results return returned returning returns reverse review rewrite right role room root round rounded rounding row
    rows rule rules run running runs safe salary sale sales sample save saved saves scale scan schedule scheduled scheme scope screen
    screens script search second seconds section security segment select selected selection sell send sending sends sent separate sequence
    sequential series serious serve server service services session set sets setting settings setup several share sheet shift ship short
    side sign signal signed signs similar simple single singular site size skip skipped small smallest solution solve solves sort sorted
    sorting source space spaces special specific specified split spread square stack standard start started starting starts startup state
    statement statements states status stay step steps still stock stop stopped stops storage store stored stores storing strategy stream
    string strings structure style sub subject submit submitted subroutine subtract success successful suffix sum summarise summary supplier
    support switch symbol symmetric system systems table tables target task tax taxes technique temporary term terminal terminate terms test
    tested tests text third three threshold ticket time times title today together top total totals touch trace track trailing transaction
    transactions transfer transferred transfers transform translate transpose tree triangular trigger true try turn two type types unable
    unique unit units unknown unless unpaid unused update updated updates updating upper user users usual valid validate validated validates
    validation value values variable variables various vector vectors vehicle verify version view visible wait warehouse warn warning wash
    way week weekly weeks weight whole wide width window wire withdraw withdrawal withdrawals word words worker working world wrap write
    writes writing written wrong year yearly years yes yesterday zero zeros
    """.split()
)
"""English words of business and code, lower case."""

ACRONYMS = frozenset(
    """
    64BIT A/B AND/OR ANSI API AS400 ASCII ATM BASIC BCD BLAS BMS CICS COBOL COMP CPU CSV DASD DB2 DB2/SQL DBMS DCL DD DDL DISP DLI DSN
    DSNAME EBCDIC EOF ESDS FAQ FIFO FILLER FORTRAN FTP GDG HIGH HTML HTTP HTTPS I/O IBM IDCAMS IMS ISAM ISO JCL JSON KSDS LAPACK LDA LIFO
    LOW LRECL LU MQ MVS NULL ODBC OS/400 PDF PDS PIN PL PL/I PL1 PLI PSB QR README RECFM RPG RRDS SMTP SPACES SQL SSN SVD SYSIN SYSOUT TCP
    TODO TSO UNIX URL USA UTF UTF-8 VALUES VAT VB VSAM X86 XML ZERO ZEROS ZOS
    """.split()
)
"""Names of products, languages and formats, upper case: a question may shout these without naming a symbol."""
