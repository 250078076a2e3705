/// Computes the cost of going back to the release in another slot: whether it can use the database,
/// and what is lost if not.
///
/// Threads: one; reads the databases, with the service up or down.
#pragma once

#include "db/upkeep/going_back.hpp"
#include "tools/smsrack/firmware/firmware_slots.hpp"

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

namespace smsrack::cli {

enum class GoingBackKind : std::uint8_t {
    free,       ///< the other release uses the database as it is
    with_copy,  ///< it would begin with a copy of before
    stuck,      ///< it can't use the database, and there is no copy that it can
    unknown,    ///< not known what it can use
};

struct GoingBack {
    GoingBackKind kind = GoingBackKind::unknown;
    std::filesystem::path database = {};
    std::filesystem::path copy = {};  ///< with_copy
    int schema = 0;                   ///< of the database
    db::GoingBackLoss loss = {};      ///< with_copy
    std::string why = {};  ///< stuck, unknown: in words; with_copy where the loss is not known

    [[nodiscard]] bool loses_nothing() const {
        return kind == GoingBackKind::free ||
               (kind == GoingBackKind::with_copy && why.empty() && loss.none());
    }
};

/// `booted`: the slot that runs, whose note may say what the database needs.
[[nodiscard]] GoingBack judge_going_back(const std::filesystem::path& database,
                                         const FirmwareSlot& booted, const FirmwareSlot& other);

/// The sentences for the operator, a line each.
[[nodiscard]] std::vector<std::string> going_back_words(const GoingBack& judged,
                                                        const FirmwareSlot& other);

/// Those of them that say what is lost with the copy.
[[nodiscard]] std::vector<std::string> loss_words(const GoingBack& judged);

/// The text of the file loss_agreed(): for a start of this slot with this copy alone, since the next migration makes another one.
[[nodiscard]] std::string loss_agreement(const std::string& bootname,
                                         const std::filesystem::path& copy);

/// Next to the database: the newest "before-migration-N.db" that a program of this schema can use;
/// empty: there is none.
[[nodiscard]] std::filesystem::path copy_for(const std::filesystem::path& database, int schema);

}  // namespace smsrack::cli
