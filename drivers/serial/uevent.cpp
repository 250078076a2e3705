#include "drivers/serial/uevent.hpp"

#include <algorithm>

namespace smsrack::serial {

bool is_new_tty(std::string_view uevent) {
    bool is_tty = false;
    bool is_new = false;
    while (!uevent.empty()) {
        const auto word = uevent.substr(0, uevent.find('\0'));
        is_tty = is_tty || word == "SUBSYSTEM=tty";
        is_new = is_new || word == "ACTION=add" || word == "ACTION=change" || word == "ACTION=move";
        uevent.remove_prefix(std::min(uevent.size(), word.size() + 1));
    }
    return is_tty && is_new;
}

}  // namespace smsrack::serial
