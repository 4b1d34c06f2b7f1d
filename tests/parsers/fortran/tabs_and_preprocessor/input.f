      subroutine s
      real function
      function = 1.0
      call t('c', 'it''s
     & end')
#ifdef A
      if (x) then
#else
      if (y) then
#endif
      endif
* star comment end
d     end
!     end
      end ! trailing
      subroutine t(c,d)
	character c, d
	end
