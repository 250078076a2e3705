#include "tools/smsrack/firmware_about.hpp"

#include "db/migrate.hpp"

#include <utility>

namespace smsrack::cli {

SlotNote about_this_release(const FirmwareBox& box) {
    const auto said = output_of(box, {"smsrackd", "--about"});
    auto note = said ? slot_note_of(*said) : std::nullopt;
    if (note) {
        return *std::move(note);
    }
    return {.version = SMSRACK_VERSION, .schema = static_cast<int>(db::migrations().size())};
}

}  // namespace smsrack::cli
