#include "tools/rig/unix_socket.hpp"

#include <bit>
#include <cerrno>
#include <cstring>
#include <sys/socket.h>
#include <sys/un.h>

namespace smsrack::rig {

Result<client::UniqueFd> connect_unix(const std::filesystem::path& path) {
    sockaddr_un address{};
    address.sun_family = AF_UNIX;
    if (path.native().size() >= sizeof(address.sun_path)) {
        return fail(Errc::too_long, path.string() + ": too long for a socket");
    }
    std::memcpy(address.sun_path, path.c_str(), path.native().size());
    client::UniqueFd fd(socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0));
    if (!fd || connect(fd.get(), std::bit_cast<sockaddr*>(&address), sizeof(address)) != 0) {
        return fail(Errc::no_device, path.string(), errno);
    }
    return fd;
}

}  // namespace smsrack::rig
