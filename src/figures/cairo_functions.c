/*
 * cairo_functions.c - cairo's functions, which are loaded when the first figure is begun; or
 * linked, where the build found no shared library.
 */
#include "figures/figure_page.h"

#include "formats/library.h"

#ifdef LIMBER_CAIRO_FILE

cairo_functions cairo;

lb_status cairo_functions_load(lb_error *error)
{
#define X(name) "cairo_" #name,
    static const char *const names[] = {CAIRO_FUNCTIONS(X)};
#undef X
    static library loaded = {.file = LIMBER_CAIRO_FILE,
                             .names = names,
                             .count = sizeof names / sizeof *names,
                             .functions = &cairo};
    return library_load(&loaded, error);
}

#else

#define X(name) .name = cairo_##name,
cairo_functions cairo = {CAIRO_FUNCTIONS(X)};
#undef X

lb_status cairo_functions_load(lb_error *error)
{
    (void)error;
    return LB_OK;
}

#endif
