#include "firmware-host/system/systemd_fds.hpp"

#include "firmware-host/upgrade/hand_over_text.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <cstring>
#include <fcntl.h>
#include <fmt/format.h>
#include <optional>
#include <string_view>
#include <sys/mman.h>
#include <sys/socket.h>
#include <unistd.h>

namespace smsrack::host {
namespace {

constexpr std::string_view state_name = "smsrack-state";
constexpr std::string_view place_prefix = "smsrack-";

std::string place_name(std::size_t place) {
    return fmt::format("{}{}", place_prefix, place);
}

std::optional<long> number_of(std::string_view text) {
    long number = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
    return error == std::errc() && end == text.data() + text.size() && !text.empty()
               ? std::optional(number)
               : std::nullopt;
}

/// Of "smsrack-7"; -1: it is another name.
long place_of(std::string_view name) {
    return name.starts_with(place_prefix) ? number_of(name.substr(place_prefix.size())).value_or(-1)
                                          : -1;
}

bool is_listener(int fd) {
    int listens = 0;
    socklen_t size = sizeof listens;
    return ::getsockopt(fd, SOL_SOCKET, SO_ACCEPTCONN, &listens, &size) == 0 && listens != 0;
}

std::string read_all(int fd) {
    std::string text;
    std::array<char, 64UL * 1024> buffer;
    for (off_t at = 0;;) {
        const auto got = ::pread(fd, buffer.data(), buffer.size(), at);
        if (got <= 0) {
            return text;
        }
        text.append(buffer.data(), static_cast<std::size_t>(got));
        at += got;
    }
}

serial::OwnedFd memory_file(std::string_view text) {
    serial::OwnedFd fd(::memfd_create("smsrack-state", MFD_CLOEXEC | MFD_ALLOW_SEALING));
    while (fd.get() >= 0 && !text.empty()) {
        const auto put = ::write(fd.get(), text.data(), text.size());
        if (put <= 0) {
            return {};
        }
        text.remove_prefix(static_cast<std::size_t>(put));
    }
    (void)::fcntl(fd.get(), F_ADD_SEALS, F_SEAL_SHRINK | F_SEAL_GROW | F_SEAL_WRITE);
    return fd;
}

}  // namespace

Result<HandOver> hand_over_of(NamedFds fds) {
    std::string text;
    std::vector<serial::OwnedFd> places;
    serial::OwnedFd listener;
    for (auto& [name, fd] : fds) {
        const long place = place_of(name);
        if (name == state_name) {
            text = read_all(fd.get());
        } else if (place >= 0 && place < static_cast<long>(fds.size())) {
            places.resize(std::max(places.size(), static_cast<std::size_t>(place) + 1));
            places[static_cast<std::size_t>(place)] = std::move(fd);
        } else if (is_listener(fd.get())) {
            listener = std::move(fd);
        }
    }
    HandOver hand_over;
    if (!text.empty()) {
        auto stored = decode(text, std::move(places));
        if (!stored) {
            return stored;
        }
        hand_over = *std::move(stored);
    }
    if (listener.get() >= 0) {
        hand_over.listener = std::move(listener);
        hand_over.owns_socket_file = false;
    }
    return hand_over;
}

bool store(SystemdNotify& systemd, const HandOver& hand_over) {
    const HandOverText state = encode(hand_over);
    const serial::OwnedFd text = memory_file(state.text);
    bool kept = text.get() >= 0;
    for (std::size_t place = 0; place < state.descriptors.size(); ++place) {
        kept = kept && systemd.keep(place_name(place), state.descriptors[place]);
    }
    return kept && systemd.keep(std::string(state_name), text.get());  // last: it needs the others
}

void forget_stored(SystemdNotify& systemd, const HandOver& hand_over) {
    systemd.forget(std::string(state_name));
    for (std::size_t place = 0; place < encode(hand_over).descriptors.size(); ++place) {
        systemd.forget(place_name(place));
    }
}

}  // namespace smsrack::host
