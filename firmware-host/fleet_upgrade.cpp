#include "firmware-host/fleet_upgrade.hpp"

#include "firmware-host/setup/box_identity.hpp"
#include "firmware-host/system/small_file.hpp"
#include "firmware-host/system/trusted_program.hpp"

#include <fstream>
#include <iterator>
#include <utility>

namespace smsrack::host {

cluster::UpgradeSide FleetUpgrade::side() {
    return {.program = [] { return hash_of_running_program().value_or(""); },
            .noted =
                [this] {
                    std::ifstream noted(file(), std::ios::binary);
                    return std::string(std::istreambuf_iterator<char>(noted), {});
                },
            .note = [this](const std::string& form) { return note(form); },
            .carry_out =
                [this](const std::string& by, ports::UpgradeOrder order,
                       std::function<void(const Error&)> refused) {
                    carry_out(by, std::move(order), std::move(refused));
                }};
}

std::string FleetUpgrade::file() const {
    return (identity_file(run_.settings.service.state_dir).parent_path() / "upgrade.json").string();
}

bool FleetUpgrade::note(const std::string& form) const {
    const auto noted = write_small_file(file(), form, 0600, Lasts::for_sure);
    if (!noted) {
        run_.log.error("upgrade_not_noted", {{"why", noted.error().context}});
    }
    return noted.has_value();
}

void FleetUpgrade::carry_out(const std::string& by, ports::UpgradeOrder order,
                             std::function<void(const Error&)> refused) const {
    run_.log.info("upgrade_ordered", {{"box", by}, {"binary", order.binary}});
    run_.loop.post([upkeep = std::weak_ptr(upkeep_), order = std::move(order),
                    refused = std::move(refused)]() mutable {
        if (const auto there = upkeep.lock()) {
            (*there)->upgrade(std::move(order), std::move(refused));
        }
    });
}

}  // namespace smsrack::host
