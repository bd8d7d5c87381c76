/* target_end.inl - the end of what target.inl began. */
#if defined(__clang__)
#if LANE_TARGET
#pragma clang attribute pop
#endif
#elif defined(__GNUC__)
#pragma GCC pop_options
#endif
