import type {Build} from '../datasets/schema/executor.ts'

/**
 * What host code may take from the C library: memory, text, numbers, printing, and what the C++ runtime itself calls.
 */
const ofTheLibrary = new RegExp(
  `^(?:${[
    'mem(?:cpy|move|set|cmp|chr)(?:_s)?|str(?:n?cpy|n?cat|n?cmp|len|chr|rchr|str|tok|dup|error)(?:_s)?',
    'strn?casecmp|strto(?:u?ll?|[dfi]|ld|imax|umax)|ato(?:i|ll?|f)|abort|exit|atexit|malloc|calloc|realloc|free',
    'v?(?:s|sn|f|d)?printf(?:_s)?|put(?:s|char|c)|fput[sc]|fwrite|fflush|stderr|stdout|qsort|bsearch|rand|srand',
    'is(?:digit|alpha|alnum|space|upper|lower|xdigit|punct|print)|to(?:upper|lower)|time|clock|clock_gettime|l?l?abs',
    String.raw`__(?:cxa_\w+|gxx_personality_v0|dso_handle|stack_chk_fail|assert_fail|errno_location|tls_get_addr)`,
    String.raw`__(?:[\w]*_chk|isoc\d*_strto\w+|ctype_\w+_loc|fpclassifyf?|signbitf?|isnanf?|isinff?|finitef?)`,
    String.raw`_Unwind_\w+|_GLOBAL_OFFSET_TABLE_|(?:twin|Twin)\w*`,
    // Numbers, each with its forms for float and long double.
    `(?:${[
      'a?(?:sin|cos|tan)h?|exp(?:2|10|m1)?|log(?:2|10|1p|b)?|i?logb|sqrt|cbrt|pow|hypot|fabs|fmod|fma|fmin|fmax|fdim',
      'ceil|floor|trunc|round|rint|nearbyint|l?l?rint|l?l?round|erfc?|[lt]gamma|modf|frexp|ldexp|scalbl?n|atan2',
      'copysign|nan|nextafter|remainder|remquo',
    ].join('|')})[fl]?`,
  ].join('|')})$`,
)

/** Parts of the C++ library that reach outside the process, or run concurrently. */
const reachesOut =
  /basic_(?:filebuf|[io]?fstream)|6thread|10filesystem|17__(?:basic_)?future|18condition_variable|13random_device/

/** Undefined symbols of the host's objects that no operator needs: they reveal a call however the text hides it. */
export function foreignImports({imports = []}: Pick<Build, 'imports'>): string[] {
  return imports.filter((name) => (name.startsWith('_Z') ? reachesOut.test(name) : !ofTheLibrary.test(name)))
}
