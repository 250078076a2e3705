#include "tools/smsrack/firmware/led.hpp"

#include "tools/client/unique_fd.hpp"
#include "tools/smsrack/whole_file.hpp"

#include <cerrno>
#include <fcntl.h>
#include <string>
#include <system_error>
#include <unistd.h>

namespace smsrack::cli {
namespace {

constexpr std::string_view blink_ms = "500";

}  // namespace

Result<> Led::write(const char* file, std::string_view text) const {
    const std::filesystem::path path = folder_ / file;
    const client::UniqueFd fd(::open(path.c_str(), O_WRONLY | O_TRUNC | O_CLOEXEC));
    if (!fd || ::write(fd.get(), text.data(), text.size()) != static_cast<ssize_t>(text.size())) {
        const int error = errno;
        return fail(error == ENOENT   ? Errc::not_found
                    : error == EACCES ? Errc::not_allowed
                                      : Errc::storage,
                    path.string() + ": " + std::generic_category().message(error), error);
    }
    return {};
}

/// The kernel makes the files of the delays with the trigger; its own are as good.
Result<> Led::blink() const {
    if (auto set = write("trigger", "timer"); !set) {
        return set;
    }
    (void)write("delay_on", blink_ms);
    (void)write("delay_off", blink_ms);
    return {};
}

Result<> Led::show(LedState state) {
    if (shown_ == state) {
        return {};
    }
    if (state == LedState::blinking) {
        if (auto blinking = blink(); !blinking) {
            return blinking;
        }
    } else {
        if (auto set = write("trigger", "none"); !set) {
            return set;
        }
        std::string bright = "1";
        if (const auto most = read_small_file(folder_ / "max_brightness"); most && !most->empty()) {
            bright = most->substr(0, most->find('\n'));
        }
        if (auto set = write("brightness", state == LedState::steady ? bright : "0"); !set) {
            return set;
        }
    }
    shown_ = state;
    return {};
}

}  // namespace smsrack::cli
