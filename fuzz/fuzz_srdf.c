/*
 * fuzz_srdf.c - SRDF beside a robot: refused with a message, or groups, end effectors and states
 * whose indices are the model's.
 */
#include "checks.h"
#include "formats/parse.h"
#include "fuzz.h"

#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    lb_document *document = NULL;
    lb_srdf *srdf = NULL;
    lb_error error = {0};
    // what lb_srdf_load does with the bytes of a file
    lb_status status =
        parse_text(xml_parse, (const char *)data, size, NULL, NULL, &document, &error);
    FUZZ_CHECK((status == LB_OK) == (document != NULL));
    if (status == LB_OK)
        status = lb_document_srdf(document, "file.srdf", fuzz_robot(), NULL, &srdf, &error);
    FUZZ_CHECK((status == LB_OK) == (srdf != NULL));
    FUZZ_CHECK(status == LB_OK || strlen(error.message) > 0);
    lb_document_release(document);
    if (srdf != NULL)
        fuzz_check_srdf(srdf, fuzz_robot());
    lb_srdf_release(srdf);
    return 0;
}
