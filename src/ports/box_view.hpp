/// What the API shows of the machine and of this program: no secret, no phone number, no text.
///
/// Threads: the loop thread; nothing waits for a disk.
#pragma once

#include "src/base/clock.hpp"
#include "src/base/interface.hpp"
#include "src/base/log.hpp"
#include "src/ports/condition.hpp"

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace smsrack::ports {

/// One of the two systems of a box made from an image.
struct BoxSlot {
    std::string name = {};     ///< "A", "B"
    std::string version = {};  ///< of what was confirmed in it; empty: not known
    bool booted = false;
};

struct BoxFacts {
    int schema = 0;                                  ///< of the database
    std::vector<BoxSlot> slots = {};                 ///< empty: not made from an image
    std::string state_dir = {};                      ///< where the database is
    std::optional<DiskRoom> disk = {};               ///< of that folder
    bool clock_waits = false;                        ///< the machine's clock is not believed as yet
    std::chrono::seconds up{0};                      ///< of the machine
    std::optional<std::uint64_t> memory_total = {};  ///< octets
    std::optional<std::uint64_t> memory_available = {};  ///< likewise, for new programs
    std::optional<std::uint64_t> memory_own = {};        ///< resident octets of the service
};

/// A line of the log, as standard error had it.
struct KeptLine {
    std::uint64_t number = 0;  ///< from 1, since the process began
    WallTime at = {};
    LogLevel level = LogLevel::info;
    std::string event = {};
    std::string fields = {};  ///< "modem=m1 code=cms_38"
};

class BoxView : public Interface {
public:
    [[nodiscard]] virtual BoxFacts facts() const = 0;
    /// The effective configuration as TOML. Secrets are not in it, but the files that hold them are
    /// named.
    [[nodiscard]] virtual std::string configuration() const = 0;
    /// The file that it was read from.
    [[nodiscard]] virtual std::string configuration_file() const = 0;
    /// Newest first, with a number below `before` (0: from the newest).
    [[nodiscard]] virtual std::vector<KeptLine> log(std::uint64_t before,
                                                    std::size_t limit) const = 0;
};

}  // namespace smsrack::ports
