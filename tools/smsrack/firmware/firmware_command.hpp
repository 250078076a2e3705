/// `smsrack firmware status|install|confirm|rollback|restore|leds|time`: manages the slots of a
/// box, and what else a box does automatically. Where there is no box with two slots the program
/// says so before it calls any of these functions.
#pragma once

#include "tools/smsrack/context.hpp"
#include "tools/smsrack/firmware/firmware_box.hpp"
#include "tools/smsrack/outcome.hpp"
#include "tools/smsrack/rack/db_command.hpp"

#include <chrono>
#include <string>

namespace smsrack::cli {

struct FirmwareInstallOptions {
    std::string bundle = {};
    bool reboot = false;  ///< and start the new release at once
};

struct FirmwareConfirmOptions {
    std::chrono::seconds wait{300};        ///< until the service is ready
    std::chrono::seconds lines_wait{60};   ///< then, until two lines can take part
    std::chrono::seconds radio_wait{300};  ///< then, until the message is there
    bool no_radio = false;
};

struct FirmwareRollbackOptions {
    DatabaseChoice where = {};
    bool yes = false;
};

struct FirmwareRestoreOptions {
    DatabaseChoice where = {};
    bool yes = false;
};

struct FirmwareLedsOptions {
    std::string board = {};  ///< file; empty: that of the board whose name the box has
};

struct FirmwareTimeOptions {
    bool set = false;
};

[[nodiscard]] Outcome<> firmware_status(const FirmwareBox& box, Context& context);
/// bad_data: the bundle is refused; usage: there is no such file.
[[nodiscard]] Outcome<> firmware_install(const FirmwareInstallOptions& options,
                                         const FirmwareBox& box, Context& context);
/// done: confirmed, or was already; try_later: not ready within the time; unreachable: no answer;
/// failed: the message between two own SIMs did not come.
[[nodiscard]] Outcome<> firmware_confirm(const FirmwareConfirmOptions& options,
                                         const FirmwareBox& box, Context& context);
/// failed: something would be lost and `yes` is not given, or there is nothing to go back to.
[[nodiscard]] Outcome<> firmware_rollback(const FirmwareRollbackOptions& options,
                                          const FirmwareBox& box, Context& context);
/// Before the service starts. done: there was nothing to do, or a copy took the place of a database
/// of a later release, which is kept; failed: there is none that this release can use, or messages
/// would be lost or sent again and the operator has not agreed to that.
[[nodiscard]] Outcome<> firmware_restore(const FirmwareRestoreOptions& options,
                                         const FirmwareBox& box, Context& context);
/// Until box.wait says to stop; done at once where the board has no LEDs.
[[nodiscard]] Outcome<> firmware_leds(const FirmwareLedsOptions& options, const FirmwareBox& box,
                                      Context& context);
/// Asks each line's modem for its clock, between messages; `set` puts the box's clock forward where that is behind. Nothing is asked
/// where the network keeps the clock.
[[nodiscard]] Outcome<> firmware_time(const FirmwareTimeOptions& options, const FirmwareBox& box,
                                      Context& context);

}  // namespace smsrack::cli
