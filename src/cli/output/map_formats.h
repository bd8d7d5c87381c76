/*
 * map_formats.h - the formats that maps are written in: a file each, and a row of the table in
 * map_file.c.
 */
#ifndef CLI_OUTPUT_MAP_FORMATS_H
#define CLI_OUTPUT_MAP_FORMATS_H

#include "cli/output/map_record.h"

#include <stdbool.h>
#include <stdio.h>

/* Each writes all of a map; false after a complaint. What a stream refuses it remembers. */
typedef bool map_writer(const map_file *map, FILE *stream);

map_writer map_write_npy; /* NumPy's array, which is read again */
map_writer map_write_vti; /* VTK's image data, for ParaView */

/* The bytes in front of the records of an array; release with free(). */
char *map_npy_header(const map_file *map, size_t *size);

#endif
