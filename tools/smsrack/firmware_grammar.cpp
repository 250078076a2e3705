#include "tools/smsrack/firmware_grammar.hpp"

#include <CLI/CLI.hpp>

#include <chrono>

namespace smsrack::cli {
namespace {

void declare_database(CLI::App& command, DatabaseChoice& where) {
    command.add_option("--config", where.config, "configuration that names its folder")
        ->capture_default_str();
    command.add_option("--db", where.database, "the database, instead");
}

}  // namespace

void FirmwareGrammar::declare(CLI::App& app) {
    CLI::App* firmware =
        app.add_subcommand("firmware", "the releases of a box with two slots: update and return");
    firmware->require_subcommand(1);
    firmware
        ->add_subcommand("status", "show which release runs, which starts next, what is confirmed")
        ->callback([this] { chosen_ = FirmwareStatusOptions{}; });

    CLI::App* install = firmware->add_subcommand(
        "install", "install another release into the slot that is not running");
    install->add_option("file", install_.bundle, "the update bundle")->required();
    install->add_flag("--reboot", install_.reboot, "then restart the box with it");
    install->callback([this] { chosen_ = install_; });

    declare_confirm(*firmware);

    declare_databases(*firmware);
    declare_upkeep(*firmware);
}

void FirmwareGrammar::declare_databases(CLI::App& firmware) {
    CLI::App* rollback =
        firmware.add_subcommand("rollback", "start the release in the other slot next time");
    declare_database(*rollback, rollback_.where);
    rollback->add_flag("--yes", rollback_.yes, "even if messages would be lost");
    rollback->callback([this] { chosen_ = rollback_; });

    CLI::App* restore = firmware.add_subcommand(
        "restore", "before the service starts: replace a database of a later release by a copy");
    declare_database(*restore, restore_.where);
    restore->add_flag("--yes", restore_.yes, "even if messages are lost by it or sent again");
    restore->callback([this] { chosen_ = restore_; });
}

void FirmwareGrammar::declare_upkeep(CLI::App& firmware) {
    CLI::App* leds = firmware.add_subcommand("leds",
                                             "show the service's state on the board's LEDs, until "
                                             "ended");
    leds->add_option("--board", leds_.board, "description of the board, instead of the box's own");
    leds->callback([this] { chosen_ = leds_; });

    CLI::App* time = firmware.add_subcommand(
        "time", "show the time that the modems report, for a box without a clock");
    time->add_flag("--set", time_.set, "set the box's clock forward if it is behind");
    time->callback([this] { chosen_ = time_; });
}

void FirmwareGrammar::declare_confirm(CLI::App& firmware) {
    constexpr int day_s = 86'400;
    CLI::App* confirm = firmware.add_subcommand(
        "confirm", "confirm the running release, if the service is healthy");
    confirm->add_option("--wait", wait_s_, "seconds within which the service must be ready")
        ->check(CLI::Range(0, day_s))
        ->capture_default_str();
    confirm
        ->add_option("--radio-wait", radio_wait_s_,
                     "seconds within which the message to an own SIM must arrive")
        ->check(CLI::Range(1, day_s))
        ->capture_default_str();
    confirm->add_flag("--no-radio", confirm_.no_radio, "skip the message to an own SIM");
    confirm->callback([this] {
        confirm_.wait = std::chrono::seconds(wait_s_);
        confirm_.radio_wait = std::chrono::seconds(radio_wait_s_);
        chosen_ = confirm_;
    });
}

}  // namespace smsrack::cli
