/*
 * map_npy.c - a map as an array of NumPy.
 *
 * Source: numpy.lib.format, version 1.0. An array of records has a list of their fields for a type.
 */
#include "cli/work/map_file.h"

#include "base/text.h"
#include "cli/report/report.h"

#include <stdlib.h>
#include <string.h>

/* magic, version, the length of the text */
enum { PREFIX = 10, MOST_TEXT = 500 };

/* "'<u2'", or where there is more than `reached` the list of the fields */
static void describe_type(const map_file *map, char *text, size_t room)
{
    if (map->record == 2) {
        snprintf(text, room, "'%s'", map_field_type(MAP_REACHED));
        return;
    }
    size_t used = 0;
    for (map_field f = 0; f < MAP_FIELDS; f++) {
        if (!map->has[f])
            continue;
        used += text_format(text + used, room - used, "%s('%s', '%s'", used > 0 ? ", " : "[",
                            map_field_name(f), map_field_type(f));
        if (f == MAP_BITS)
            used +=
                text_format(text + used, room - used, ", (%d,)", (map->grid.orientations + 7) / 8);
        used += text_format(text + used, room - used, ")");
    }
    text_format(text + used, room - used, "]");
}

char *map_npy_header(const map_file *map, size_t *size)
{
    char type[MOST_TEXT / 2], text[MOST_TEXT], shape[60];
    int n = map->grid.count;
    describe_type(map, type, sizeof type);
    // a part is no cube
    if (map->parts > 1)
        snprintf(shape, sizeof shape, "%zu,", map_file_own_cells(map));
    else
        snprintf(shape, sizeof shape, "%d, %d, %d", n, n, n);
    int length = snprintf(text, sizeof text,
                          "{'descr': %s, 'fortran_order': True, 'shape': (%s), }", type, shape);
    // padded to a multiple of 64, with a line break at the end
    *size = (size_t)(PREFIX + length + 1 + 63) / 64 * 64;
    char *bytes = allocate_or_exit(*size, 1);
    memset(bytes, ' ', *size);
    memcpy(bytes, "\x93NUMPY\x01\x00", PREFIX - 2);
    bytes[PREFIX - 2] = (char)((*size - PREFIX) & 0xff);
    bytes[PREFIX - 1] = (char)((*size - PREFIX) >> 8);
    memcpy(bytes + PREFIX, text, (size_t)length);
    bytes[*size - 1] = '\n';
    return bytes;
}
