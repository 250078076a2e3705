/// Reads the kernel's events of devices that appear and disappear.
///
/// Source:  Linux, lib/kobject_uevent.c: "add@/devices/..." and NAME=value, each ended by NUL.
#pragma once

#include <string_view>

namespace smsrack::serial {

/// A serial port came, or is there in another way than before.
[[nodiscard]] bool is_new_tty(std::string_view uevent);

}  // namespace smsrack::serial
