/// The options and arguments of `smsrack firmware ...`.
#pragma once

#include "tools/smsrack/command_line.hpp"

#include <cstdint>

namespace CLI {
class App;
}

namespace smsrack::cli {

class FirmwareGrammar {
public:
    /// What is called goes into `chosen`, which outlives the object.
    explicit FirmwareGrammar(Command& chosen) : chosen_(chosen) {}

    /// The object outlives the parsing.
    void declare(CLI::App& app);

private:
    void declare_confirm(CLI::App& firmware);
    void declare_databases(CLI::App& firmware);
    void declare_upkeep(CLI::App& firmware);

    Command& chosen_;
    FirmwareInstallOptions install_;
    FirmwareConfirmOptions confirm_;
    std::int64_t wait_s_ = 300;
    std::int64_t radio_wait_s_ = 300;
    FirmwareRollbackOptions rollback_{.where = {.config = "/etc/smsrack/smsrack.toml"}};
    FirmwareRestoreOptions restore_{.where = {.config = "/etc/smsrack/smsrack.toml"}};
    FirmwareLedsOptions leds_;
    FirmwareTimeOptions time_;
};

}  // namespace smsrack::cli
