/*
 * describe_file.h - files that name no model of their own: tables, arrays and archives.
 */
#ifndef CLI_OUTPUT_DESCRIBE_FILE_H
#define CLI_OUTPUT_DESCRIBE_FILE_H

#include <stdbool.h>
#include <stdio.h>

/* Whether a file's ending is that of one: .csv, .npy or .npz. */
bool describe_file_is(const char *path);

/* What is in it: its kind, rows and columns or arrays; in words or as one JSON object. False after
 * a complaint. */
bool describe_file(const char *path, bool as_json, FILE *stream);

#endif
