/// Writes a small file so that its readers find it whole: by another name first.
///
/// Threads: any; it waits for the disk.
/// Errors:  storage, not_allowed: with the path; what was there before is there still.
#pragma once

#include "src/base/result.hpp"

#include <cstdint>
#include <string>
#include <string_view>
#include <sys/types.h>

namespace smsrack::host {

enum class Lasts : std::uint8_t {
    usually,   ///< it may be missing after a power cut
    for_sure,  ///< it is on the disk when the function returns
};

[[nodiscard]] Result<> write_small_file(const std::string& path, std::string_view text, mode_t mode,
                                        Lasts lasts);

}  // namespace smsrack::host
