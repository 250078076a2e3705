/// The address of a Unix socket, in the file system or in the abstract name space.
#pragma once

#include "src/base/result.hpp"

#include <cstddef>
#include <string_view>
#include <sys/socket.h>
#include <sys/un.h>

namespace smsrack::modem_sim {

class UnixAddress {
public:
    /// bad_request: longer than the kernel takes (107 octets).
    [[nodiscard]] static Result<UnixAddress> path(std::string_view name) { return make(name, 0); }
    [[nodiscard]] static Result<UnixAddress> abstract(std::string_view name) {
        return make(name, 1);
    }

    [[nodiscard]] const sockaddr* get() const {
        return reinterpret_cast<const sockaddr*>(&address_);
    }
    [[nodiscard]] socklen_t size() const { return size_; }

private:
    [[nodiscard]] static Result<UnixAddress> make(std::string_view name, std::size_t offset) {
        UnixAddress made;
        if (name.empty() || name.size() + 1 > sizeof made.address_.sun_path) {
            return fail(Errc::bad_request, "socket name is empty or too long");
        }
        made.address_.sun_family = AF_UNIX;
        name.copy(made.address_.sun_path + offset, name.size());
        // A path ends with its zero octet, an abstract name begins with one: the same size.
        made.size_ = static_cast<socklen_t>(offsetof(sockaddr_un, sun_path) + name.size() + 1);
        return made;
    }

    sockaddr_un address_ = {};
    socklen_t size_ = 0;
};

}  // namespace smsrack::modem_sim
