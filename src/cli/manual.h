/*
 * cli/manual.h - the manual pages, in the man macros, from the table of commands.
 */
#ifndef CLI_MANUAL_H
#define CLI_MANUAL_H

#include "cli/command.h"

/* `limber --manual`: limber(1), the commands and what all have in common. The list ends with NULL.
 */
void manual_print_program(const command *const *commands);

/* `limber --manual NAME`: limber-NAME(1). */
void manual_print_command(const command *which);

/* `limber --manual mpi`: limber-mpi(1), of the program that is started by mpirun and so cannot
   print it itself. */
void manual_print_mpi(void);

#endif
