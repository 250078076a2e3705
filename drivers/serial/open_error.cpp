#include "drivers/serial/open_port.hpp"
#include "drivers/serial/port_holder.hpp"

#include <cerrno>
#include <system_error>

namespace smsrack::serial {

Error open_error(const std::string& path, int error) {
    switch (error) {
        case EBUSY:
        case EWOULDBLOCK: {
            const std::string holder = port_holder(path);
            return {.code = Errc::busy,
                    .detail = error,
                    .context = path + " is in use" + (holder.empty() ? "" : " by " + holder) +
                               "; stop that program or give this modem another port"};
        }
        case EACCES:
        case EPERM:
            return {.code = Errc::not_allowed,
                    .detail = error,
                    .context = path +
                               ": no permission; put the service's user into the group of the "
                               "port (dialout on Debian)"};
        case ENOENT:
        case ENODEV:
        case ENXIO:
        case EIO:
            return {.code = Errc::no_device,
                    .detail = error,
                    .context = path + " is not there; plug the modem in or correct `port`"};
        case ENOTTY:
            return {.code = Errc::no_device,
                    .detail = error,
                    .context = path + " is not a serial port; correct `port`"};
        default:
            return {.code = Errc::internal,
                    .detail = error,
                    .context = path + ": " + std::generic_category().message(error)};
    }
}

}  // namespace smsrack::serial
