/*
 * binding.h - what the WebAssembly module's C files share.
 *
 * The module exports functions over numbers, pointers and flat arrays alone; the
 * package's JavaScript, in the folder above, alone calls them and checks what goes in.
 */
#ifndef BINDING_H
#define BINDING_H

#include <limber/formats/document.h>
#include <limber/limber.h>

/* Names a function that is callable from outside: js_name here, `name` out there. */
#define EXPORT(name) __attribute__((export_name(#name))) js_##name

/* The error of the last call that returned NULL or a status; one caller, one error. */
extern lb_error binding_error;

/* The options of a load, whose warnings are kept for warning_count() and its kin. */
lb_load_options binding_load(int strict);

/*
 * A document of nodes as rows of five numbers: kind, has a name, has a text, number, line; kind -1
 * closes the innermost node. Names and texts follow each other in `strings`, whose first is the
 * file's path. NULL: no memory.
 */
lb_document *binding_document(const char *strings, const double *rows, int count,
                              const char **path);

lb_transform transform_from(const double *numbers);

#endif
