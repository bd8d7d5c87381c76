/*
 * rotation.c - rotations in a glTF: quaternions, which the format wants of unit length.
 *
 * Zero has no direction and is refused; any other length is only untidy, and is warned of.
 */
#include "formats/gltf/gltf.h"

#include "base/text.h"

#include <string.h>

/*
 * Four floats that were rounded have a length within 1.2e-7 of 1, and six decimals, as exporters
 * print them, within 1e-6; ten times that.
 */
#define LENGTH_ROUNDING 1e-5

/* a squared length that can be divided by, and whose square root is a float's */
static bool has_direction(double squared)
{
    return squared > 1e-12 && squared < 1e12;
}

double gltf_rotation_rounding(const gltf_view *values)
{
    enum { BYTE = 5120, UNSIGNED_BYTE, SHORT, UNSIGNED_SHORT };
    static const double largest[] = {127, 255, 32767, 65535};
    // four halves of a step along the diagonal of a cube are one step
    if (values->normalized && values->type >= BYTE && values->type <= UNSIGNED_SHORT)
        return fmax(LENGTH_ROUNDING, 1 / largest[values->type - BYTE]);
    return LENGTH_ROUNDING;
}

/* the place of a rotation, in its array where it is in one */
static gltf_place place_of(const gltf_place *place, int element)
{
    gltf_place whole = *place;
    size_t used = strlen(whole.text);
    if (element >= 0)
        text_format(whole.text + used, sizeof whole.text - used, " element %d", element);
    return whole;
}

lb_status gltf_check_rotation(const gltf_reader *reader, const gltf_place *place, int element,
                              const double xyzw[4], double rounding, gltf_rotation_findings *found)
{
    double squared = 0, length;
    for (int i = 0; i < 4; i++)
        squared += xyzw[i] * xyzw[i];
    length = sqrt(squared);
    if (has_direction(squared) && fabs(length - 1) <= fmax(rounding, LENGTH_ROUNDING))
        return LB_OK;
    gltf_place whole = place_of(place, element);
    if (!has_direction(squared))
        return gltf_refuse(reader, LB_BAD_VALUE, &whole,
                           "a quaternion of length %.3g is no rotation; 0, 0, 0, 1 turns nothing",
                           length);
    if (found->count++ == 0) {
        found->first = whole;
        found->length = length;
    }
    return LB_OK;
}

void gltf_warn_rotations(const gltf_reader *reader, const char *what,
                         const gltf_rotation_findings *found)
{
    if (found->count > 0)
        warnings_add(
            reader->warnings, 0,
            "%d rotation%s of %s, as %s of length %.6g, %s not of length 1, now normalised",
            found->count, found->count == 1 ? "" : "s", what, found->first.text, found->length,
            found->count == 1 ? "is" : "are");
}
