/// Listening Unix sockets, and the account or address at the other end of a connection.
///
/// Errors:  listen_unix: busy where another process answers on the path; bad_config where the path is too long or
///          the file there is no socket; not_allowed or internal with errno in `detail`.
#pragma once

#include "src/base/result.hpp"
#include "src/wire/http_message.hpp"

#include <cstdint>
#include <optional>
#include <string>
#include <sys/types.h>

namespace smsrack::net {

struct ListeningSocket {
    int fd = -1;
    std::uint64_t inode = 0;  ///< of its file
    bool has_group = true;  ///< false: the file could not be given to the group that was asked for
};

/// A listening socket at `path` with that file mode and group (nullopt: the process's own): it
/// appears there complete, and replaces a socket that no process answers on. The caller closes the
/// descriptor.
[[nodiscard]] Result<ListeningSocket> listen_unix(const std::string& path, unsigned mode,
                                                  std::optional<gid_t> group = {});

/// A listening socket that another process made: `fd` stays the caller's. The inode is that of the file at
/// `path`, or 0 where there is none. bad_config: `fd` is no listening Unix socket.
[[nodiscard]] Result<ListeningSocket> adopt_unix(int fd, const std::string& path);

/// Removes the file, unless another socket has taken its place.
void remove_unix(const std::string& path, std::uint64_t inode);

/// Peer::known is false where the kernel does not say.
[[nodiscard]] wire::Peer peer_of(int fd);

/// Of a connection over the network: its numeric address alone.
[[nodiscard]] wire::Peer network_peer_of(int fd);

}  // namespace smsrack::net
