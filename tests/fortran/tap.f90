! SPDX-License-Identifier: BSD-3-Clause
!
! A producer of TAP for the test programs in Fortran: one result line per check.
module tap
  implicit none
  private
  public :: ok, same_text, done
  integer :: results = 0, failures = 0

contains

  subroutine ok(passed, name)
    logical, intent(in) :: passed
    character(*), intent(in) :: name

    results = results + 1
    if (.not. passed) failures = failures + 1
    print '(a, i0, 2a)', trim(merge('ok    ', 'not ok', passed)) // ' ', results, ' - ', name
  end subroutine

  !> Whether a text is the one that is wanted, trailing blanks aside.
  subroutine same_text(text, want, name)
    character(*), intent(in) :: text, want, name

    call ok(text == want, name)
    if (text /= want) print '(a)', '# is:   ' // trim(text), '# want: ' // trim(want)
  end subroutine

  !> Print the plan, and end the program.
  subroutine done()
    print '(a, i0)', '1..', results
    if (failures > 0) stop 1
  end subroutine

end module
