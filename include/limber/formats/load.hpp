/*
 * load.hpp - limber::load, with the handles of limber.hpp.
 *
 *     limber::model arm = limber::load("panda");
 */
#ifndef LIMBER_FORMATS_LOAD_HPP
#define LIMBER_FORMATS_LOAD_HPP

#include <limber/formats/load.h>
#include <limber/limber.hpp>

namespace limber {
/* The model of a file, or a built-in one, as lb_load has it. */
inline model load(const std::string &name, const lb_load_options *options = nullptr) {
    lb_model *made = nullptr;
    lb_error why{};
    check(lb_load_with_options(name.c_str(), options, &made, &why), why);
    return model(made);
}
} // namespace limber
#endif
