#include "tools/smsrack/firmware_command.hpp"

#include "tools/smsrack/real_clock.hpp"
#include "tools/smsrack/stop_signal.hpp"

namespace smsrack::cli {
namespace {

/// `work` with this machine as the box.
template <typename Work>
Outcome<> here(Work work) {
    const StopSignal stop;
    const RealClock clock;
    RealPrograms programs;
    const FirmwareBox box{
        .programs = programs, .clock = clock, .wait = [&stop](std::chrono::milliseconds time) {
            return stop.wait_for(time);
        }};
    return work(box);
}

}  // namespace

Outcome<> run(const FirmwareStatusOptions&, Context& context) {
    return here([&](const FirmwareBox& box) { return firmware_status(box, context); });
}

Outcome<> run(const FirmwareInstallOptions& options, Context& context) {
    return here([&](const FirmwareBox& box) { return firmware_install(options, box, context); });
}

Outcome<> run(const FirmwareConfirmOptions& options, Context& context) {
    return here([&](const FirmwareBox& box) { return firmware_confirm(options, box, context); });
}

Outcome<> run(const FirmwareRollbackOptions& options, Context& context) {
    return here([&](const FirmwareBox& box) { return firmware_rollback(options, box, context); });
}

Outcome<> run(const FirmwareRestoreOptions& options, Context& context) {
    return here([&](const FirmwareBox& box) { return firmware_restore(options, box, context); });
}

Outcome<> run(const FirmwareLedsOptions& options, Context& context) {
    return here([&](const FirmwareBox& box) { return firmware_leds(options, box, context); });
}

Outcome<> run(const FirmwareTimeOptions& options, Context& context) {
    return here([&](const FirmwareBox& box) { return firmware_time(options, box, context); });
}

}  // namespace smsrack::cli
