/* print_json.h - JSON that is written whole, or the program ends and says why. */
#ifndef CLI_REPORT_PRINT_JSON_H
#define CLI_REPORT_PRINT_JSON_H

#include <limber/math.h>

#include <jansson.h>
#include <stdio.h>

/* Where memory runs out while JSON is made, the program ends: no member is left out. */
void print_json_start(void);

/*
 * Put a value, which they take over, at the end of an array or into an object. The program
 * ends with a complaint when it is NULL: json_pack() makes none of a text that is not UTF-8,
 * or of a number that is not finite.
 */
void append_json(json_t *array, json_t *value);
void set_json(json_t *object, const char *key, json_t *value);

/* A number, or null for one that is not finite: JSON has no infinity. */
json_t *json_finite(double number);
/* An array of such numbers. */
json_t *json_numbers(const double *numbers, int count);
/* [x, y, z] */
json_t *json_vector(lb_vec3 v);

/* An array that is written element by element, so that not all of them are in memory. */
typedef struct json_list {
    FILE *stream; /* NULL: none is being written */
    bool begun;   /* an element is there */
    bool lines;   /* each element is on a line of its own */
} json_list;

/* Begins an array, or, where `name` is not NULL, an object with an array of this name. */
json_list json_list_begin(const char *name, FILE *stream);
/*
 * Begins an object with these members, which it takes over, and last an array of this name with one
 * element a line; end it without further members.
 */
json_list json_list_begin_last(json_t *members, const char *name, FILE *stream);
/* Writes an element, which it takes over; the program ends with a complaint when it is NULL. */
void json_list_add(json_list *list, json_t *element);
/* Ends the array, and the object with these further members, which it takes over; NULL: none. */
void json_list_end(json_list *list, json_t *members);

/*
 * Writes a value and a line break; `flags` as json_dumpf takes them. The program ends with a
 * complaint when the value is NULL.
 */
void print_json(const json_t *value, size_t flags, FILE *stream);

#endif
