"""Names before a bracket that are no procedure of the program: intrinsics and keywords.

Sources: Fortran 2018 table 16.1, FORTRAN 77 table 5, and extensions that compilers share.
"""

from __future__ import annotations

INTRINSICS = frozenset(
    """
    abs achar acos acosh adjustl adjustr aimag aint all allocated anint any asin asinh associated atan atan2 atanh atomic_add atomic_and
    atomic_cas atomic_define atomic_fetch_add atomic_ref bessel_j0 bessel_j1 bessel_jn bessel_y0 bessel_y1 bessel_yn bge bgt bit_size ble blt
    btest c_associated c_f_pointer c_f_procpointer c_funloc c_loc c_sizeof ceiling char cmplx co_broadcast co_max co_min co_reduce co_sum
    command_argument_count conjg cos cosh coshape count cpu_time cshift date_and_time dble digits dim dot_product dprod dshiftl dshiftr eoshift
    epsilon erf erfc erfc_scaled event_query execute_command_line exp exponent extends_type_of failed_images findloc floor fraction gamma
    get_command get_command_argument get_environment_variable get_team huge hypot iachar iall iand iany ibclr ibits ibset ichar ieor
    image_index image_status index int ior iparity is_contiguous is_iostat_end is_iostat_eor ishft ishftc kind lbound lcobound leadz len
    len_trim lge lgt lle llt log log10 log_gamma logical maskl maskr matmul max maxexponent maxloc maxval merge merge_bits min minexponent
    minloc minval mod modulo move_alloc mvbits nearest new_line nint norm2 not null num_images out_of_range pack parity popcnt poppar precision
    present product radix random_init random_number random_seed range rank real reduce repeat reshape rrspacing same_type_as scale scan
    selected_char_kind selected_int_kind selected_real_kind set_exponent shape shifta shiftl shiftr sign sin sinh size spacing split spread sqrt
    stopped_images storage_size sum system_clock tan tanh team_number this_image tiny tokenize trailz transfer transpose trim ubound ucobound
    unpack verify
    aimax0 ajmax0 alog alog10 amax0 amax1 amin0 amin1 amod cabs ccos cdabs cdcos cdexp cdlog cdsin cdsqrt cexp clog csin csqrt dabs dacos dasin
    datan datan2 dcmplx dconjg dcos dcosh ddim derf derfc dexp dfloat dimag dint dlog dlog10 dmax1 dmin1 dmod dnint dreal dsign dsin dsinh dsqrt
    dtan dtanh float iabs idim idint idnint ifix imag isign max0 max1 min0 min1 sngl zabs zcos zexp zlog zsin zsqrt
    cosd sind tand acosd asind atand loc sizeof isnan lshift rshift xor and or iargc getarg etime dtime rand irand secnds jint int2 int4 int8 qabs
    qext qfloat iqint dbleq sngl qsqrt lnblnk malloc ishc
    """.split()
)
"""Lower-case names of intrinsic procedures; an EXTERNAL statement overrides them (Fortran 2018, 8.5.9)."""

KEYWORDS = frozenset(
    """
    if elseif while dowhile write read print open close inquire rewind backspace endfile flush wait allocate deallocate nullify format where
    elsewhere forall doconcurrent concurrent associate selectcase case selecttype typeis classis selectrank rank changeteam sync syncall
    syncimages syncmemory syncteam lock unlock eventpost eventwait formteam critical return stop errorstop goto call then else do data real
    integer complex logical character doubleprecision type class procedure import bind result only operator assignment kind len dimension
    intent parameter decode encode accept punch find define definefile formatted unformatted parameter implicit none local local_init shared
    equivalence entry function subroutine is in out inout codimension extends pass nopass select
    """.split()
)
"""Words of statements that may stand before a bracket, as they read with blanks removed."""
