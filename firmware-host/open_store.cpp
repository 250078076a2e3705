#include "firmware-host/open_store.hpp"

#include "firmware-host/process/systemd_patience.hpp"
#include "firmware-host/service_settings.hpp"
#include "src/base/time_text.hpp"

#include <algorithm>
#include <chrono>
#include <filesystem>
#include <system_error>
#include <utility>

namespace smsrack::host {
namespace {

bool is_configured(const config::Settings& settings, const LineHandOver& line) {
    return std::ranges::any_of(
        settings.modems, [&](const config::ModemSettings& modem) { return line.continues(modem); });
}

/// Far more than a card that writes 5 MiB/s needs to copy the database, twice, and to migrate it.
std::chrono::seconds time_to_open(const std::filesystem::path& database) {
    constexpr std::chrono::minutes least{5};
    constexpr std::uintmax_t octets_a_second = 1024 * 1024;
    std::error_code none;
    const auto size = std::filesystem::file_size(database, none);
    return least + std::chrono::seconds(none ? 0 : size / octets_a_second);
}

}  // namespace

OpenStore::OpenStore(Run& run)
    : run_(run),
      rules_(store_rules(run.configuration)),
      readers_(std::make_unique<ThreadPool>(ThreadPoolSettings{
          .name = "store-r",
          .threads_max = static_cast<std::size_t>(run.settings.service.readers)})) {}

Result<> OpenStore::open(HandOver& left, bool may_read_only, RackAddress& address,
                         const FleetSide* fleet) {
    GuardedClock& clock = run_.clock;
    db::SqliteStoreSettings how = store_settings(run_.settings);
    how.may_read_only = may_read_only;
    if (fleet != nullptr) {
        how.box = fleet->number();
        rules_.may_begin_shared = [fleet] { return fleet->may_begin(); };
        rules_.knows_rules = [fleet](Level level) { return fleet->knows_rules(level); };
        rules_.shares_rules = true;
    }
    how.taken_over = {.lock = left.lock.release(), .closed_well = left.store_closed};
    for (const LineHandOver& line : left.lines) {
        if (line.line.in_hand && is_configured(run_.settings, line)) {
            how.taken_over.in_hand.push_back(line.line.in_hand->attempt);
        }
    }
    const SystemdPatience patience(run_.systemd, time_to_open(how.path));
    auto store = db::SqliteStore::open(std::move(how), {rules_, address, *readers_, waiter_, clock,
                                                        run_.log, &run_.stats, &clock});
    if (!store) {
        return std::unexpected(std::move(store.error()));
    }
    store_ = std::move(*store);
    address.events.starts_after(store_->opened_at());
    if (clock.waits()) {
        run_.log.error("clock_not_believed", {{"newest_row", time_text(clock.wall())}});
        store_->post(ports::KeepEvent{{.at = clock.wall(),
                                       .type = EventType::service_notice,
                                       .detail = "clock_not_believed"}});
    }
    worker_.emplace("store-w", store_->writer(), waiter_, clock);
    worker_->start();
    return {};
}

void OpenStore::leave() {
    worker_->stop();
    store_->leave_to_next();
}

void OpenStore::close() {
    readers_.reset();
    if (worker_) {
        worker_->stop();
    }
    store_.reset();
}

}  // namespace smsrack::host
