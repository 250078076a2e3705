#include "tools/smsrack/firmware/firmware_command.hpp"

#include "tools/smsrack/commands.hpp"
#include "tools/smsrack/real_clock.hpp"
#include "tools/smsrack/stop_signal.hpp"

namespace smsrack::cli {
namespace {

/// `work` with this machine, where it is a box.
template <typename Work>
Outcome<> on_this_box(const Work& work) {
    const StopSignal stop;
    const RealClock clock;
    RealPrograms programs;
    const FirmwareBox box{.programs = programs, .clock = clock, .wait = [&stop](auto time) {
                              return stop.wait_for(time);
                          }};
    const auto is_box = require_box(box);
    return is_box ? work(box) : is_box;
}

template <typename Options, Outcome<> (*Work)(const Options&, const FirmwareBox&, Context&)>
Outcome<> here(const Options& options, Context& context) {
    return on_this_box([&](const FirmwareBox& box) { return Work(options, box, context); });
}

Outcome<> status_here(Context& context) {
    return on_this_box([&](const FirmwareBox& box) { return firmware_status(box, context); });
}

void add_seconds(CLI::App& app, const char* name, std::chrono::seconds& value, int least,
                 const char* what) {
    constexpr int day_s = 86'400;
    app.add_option_function<std::int64_t>(
           name, [&value](std::int64_t seconds) { value = std::chrono::seconds(seconds); }, what)
        ->check(CLI::Range(least, day_s))
        ->default_str(std::to_string(value.count()));
}

void declare_confirm(const CommandGroup& firmware) {
    const auto [app, options, check] =
        firmware.command({"confirm",
                          "confirm the running release, if the service is healthy",
                          {"firmware confirm --wait 60"}},
                         here<FirmwareConfirmOptions, firmware_confirm>);
    add_seconds(app, "--wait", options.wait, 0, "seconds within which the service must be ready");
    add_seconds(app, "--radio-wait", options.radio_wait, 1,
                "seconds within which the message to an own SIM must arrive");
    app.add_flag("--no-radio", options.no_radio, "skip the message to an own SIM");
}

void declare_going_back(const CommandGroup& firmware) {
    const auto rollback = firmware.command(
        {"rollback", "start the release in the other slot next time", {"firmware rollback"}},
        here<FirmwareRollbackOptions, firmware_rollback>);
    add_database(rollback.app, rollback.options.where);
    rollback.app.add_flag("--yes", rollback.options.yes, "even if messages would be lost");
    const auto restore = firmware.command(
        {"restore",
         "before the service starts: replace a database of a later release by a copy",
         {"firmware restore"}},
        here<FirmwareRestoreOptions, firmware_restore>);
    add_database(restore.app, restore.options.where);
    restore.app.add_flag("--yes", restore.options.yes,
                         "even if messages are lost by it or sent again");
}

}  // namespace

void declare_firmware(const CommandGroup& program) {
    const CommandGroup firmware =
        program.group("firmware", "the releases of a box with two slots: update and return");
    firmware.command({"status",
                      "show which release runs, which starts next, what is confirmed",
                      {"firmware status"}},
                     status_here);
    const auto install =
        firmware.command({"install",
                          "install another release into the slot that is not running",
                          {"firmware install smsrack-2.0.raucb --reboot"}},
                         here<FirmwareInstallOptions, firmware_install>);
    install.app.add_option("file", install.options.bundle, "the update bundle")->required();
    install.app.add_flag("--reboot", install.options.reboot, "then restart the box with it");
    declare_confirm(firmware);
    declare_going_back(firmware);
    const auto leds = firmware.command({"leds",
                                        "show the service's state on the board's LEDs, until ended",
                                        {"firmware leds --board /etc/smsrack/board.toml"}},
                                       here<FirmwareLedsOptions, firmware_leds>);
    leds.app.add_option("--board", leds.options.board,
                        "description of the board, instead of the box's own");
    const auto time =
        firmware.command({"time",
                          "show the time that the modems report, for a box without a clock",
                          {"firmware time --set"}},
                         here<FirmwareTimeOptions, firmware_time>);
    time.app.add_flag("--set", time.options.set, "set the box's clock forward if it is behind");
}

}  // namespace smsrack::cli
