#include "drivers/serial/owned_fd.hpp"

#include <unistd.h>

namespace smsrack::serial {

OwnedFd::~OwnedFd() {
    if (fd_ >= 0) {
        ::close(fd_);
    }
}

}  // namespace smsrack::serial
