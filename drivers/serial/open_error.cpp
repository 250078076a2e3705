#include "drivers/serial/open_port.hpp"
#include "drivers/serial/port_holder.hpp"

#include <cerrno>
#include <system_error>

namespace smsrack::serial {

Error open_error(const std::string& path, int error) {
    const auto because = [&](Errc code, const std::string& why) {
        return Error{.code = code, .detail = error, .context = path + why};
    };
    switch (error) {
        case EBUSY:
        case EWOULDBLOCK: {
            const std::string holder = port_holder(path);
            return because(Errc::busy, " is in use" + (holder.empty() ? "" : " by " + holder) +
                                           "; stop that program or give this modem another port");
        }
        case EACCES:
        case EPERM:
            return because(Errc::not_allowed,
                           ": no permission; put the service's user into the group of the port "
                           "(dialout on Debian)");
        case ENOENT:
        case ENODEV:
        case ENXIO:
        case EIO:
            return because(Errc::no_device, " is not there; plug the modem in or correct `port`");
        case ENOTTY:
            return because(Errc::no_device, " is not a serial port; correct `port`");
        default:
            return because(Errc::internal, ": " + std::generic_category().message(error));
    }
}

}  // namespace smsrack::serial
